"""Pages may state the day on which they were published, which an engine can rank them by."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('visibility', '0019_failed_calls'),
    ]

    operations = [
        migrations.AddField(
            model_name='page',
            name='published_on',
            field=models.DateField(blank=True, help_text='the day that the page states; empty: none', null=True),
        ),
    ]
