from django.db import migrations, models


def count_again(apps, schema_editor):
    """What people said before is not own leaves the figures: the tick has them counted again."""
    choices = apps.get_model("visibility", "TopicChoice").objects.filter(is_own=False)
    generations = apps.get_model("visibility", "Generation").objects.filter(state="current")
    generations.filter(brand__in=choices.values("brand")).update(is_outdated=True)


class Migration(migrations.Migration):

    dependencies = [
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
            model_name='topicchoice',
            name='left_out',
            field=models.BooleanField(db_default=False, default=False, help_text='the current figures leave it out; follows the choice once these are counted again'),
        ),
        migrations.AlterField(
            model_name='generation',
            name='names',
            field=models.JSONField(help_text='the names, domains and classes that answers are analysed for, and topics that are not own'),
        ),
        migrations.RunPython(count_again, migrations.RunPython.noop),
    ]
