import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('apikeys', '0005_idempotent_calls_by_time'),
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='own_credits_per_month',
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name='credits per month'),
        ),
        migrations.AddField(
            model_name='user',
            name='own_drafts_per_month',
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name='drafts per month'),
        ),
        migrations.AddField(
            model_name='user',
            name='own_max_competitors_per_site',
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name='competitors per site'),
        ),
        migrations.AddField(
            model_name='user',
            name='own_max_prompts_per_site',
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name='prompts per site'),
        ),
        migrations.AddField(
            model_name='user',
            name='own_max_samples',
            field=models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='samples per prompt, at most'),
        ),
        migrations.AddField(
            model_name='user',
            name='own_max_sites',
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name='sites'),
        ),
        migrations.AddField(
            model_name='user',
            name='own_writer_calls_per_day',
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name='writer calls per day'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('own_max_samples__gte', 1)), name='user_samples_at_least_one'),
        ),
    ]
