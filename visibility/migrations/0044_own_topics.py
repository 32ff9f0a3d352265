import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


def count_again(apps, schema_editor):
    """What people said before is not own leaves the figures: the tick has them counted again."""
    choices = apps.get_model("visibility", "TopicChoice").objects.filter(is_own=False)
    generations = apps.get_model("visibility", "Generation").objects.all()
    generations.update(names_since=models.F("created_at"))
    generations.filter(state="current", brand__in=choices.values("brand")).update(is_outdated=True)


class Migration(migrations.Migration):

    dependencies = [
        ('brands', '0005_invitations'),
        ('visibility', '0043_changerecord'),
    ]

    operations = [
        migrations.AddField(
            model_name='dailyscore',
            name='all_topics',
            field=models.JSONField(help_text="the brand's score over all topics, where those that are not own are left out elsewhere", null=True),
        ),
        migrations.AddField(
            model_name='generation',
            name='is_outdated',
            field=models.BooleanField(db_default=False, default=False, help_text='prompts were moved between topics that count and topics that do not: it is counted anew'),
        ),
        migrations.AddField(
            model_name='generation',
            name='names_since',
            field=models.DateTimeField(default=django.utils.timezone.now, help_text='when the names, domains or classes became these, or the detector this one'),
        ),
        migrations.AddField(
            model_name='generation',
            name='topics_since',
            field=models.DateTimeField(blank=True, help_text="when other topics became the brand's own than were before; null: never", null=True),
        ),
        migrations.AlterField(
            model_name='generation',
            name='names',
            field=models.JSONField(help_text='the names, domains and classes that answers are analysed for, and topics that are not own'),
        ),
        migrations.CreateModel(
            name='LeftOutTopic',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('topic', models.CharField(help_text='as prompts have it; the id of a prompt without one', max_length=200)),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='left_out_topics', to='brands.brand')),
            ],
            options={
                'ordering': ['brand', 'topic'],
                'constraints': [models.UniqueConstraint(fields=('brand', 'topic'), name='left_out_topic_once')],
            },
        ),
        migrations.RunPython(count_again, migrations.RunPython.noop),
    ]
