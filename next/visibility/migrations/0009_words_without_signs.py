import django.contrib.postgres.indexes
import django.contrib.postgres.search
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('visibility', '0008_advice'),
    ]

    operations = [
        migrations.RemoveIndex(model_name='answer', name='answer_words'),
        migrations.RemoveField(model_name='answer', name='words'),
        migrations.AddField(
            model_name='answer',
            name='words',
            field=models.GeneratedField(
                db_persist=True,
                expression=django.contrib.postgres.search.SearchVector(
                    models.Func(
                        models.Func(
                            models.F('text'),
                            models.Value('https?://[^\\s()<>\\]]+'),
                            models.Value(' '),
                            models.Value('g'),
                            function='regexp_replace',
                        ),
                        models.Value('!"#$&()*+,-./:;<=>?@[\\]^_`{|}~'),
                        models.Value(' ' * 30),
                        function='translate',
                        output_field=models.TextField(),
                    ),
                    config='simple',
                ),
                output_field=django.contrib.postgres.search.SearchVectorField(),
            ),
        ),
        migrations.AddIndex(
            model_name='answer',
            index=django.contrib.postgres.indexes.GinIndex(fields=['words'], name='answer_words'),
        ),
    ]
