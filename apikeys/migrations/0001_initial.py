"""The tables of this app; the three plans that a new service starts with, which operators edit in the admin."""

import apikeys.models
import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models

FIELDS = (
    "tier",
    "name",
    "api_access",
    "max_sites",
    "max_prompts_per_site",
    "max_competitors_per_site",
    "drafts_per_month",
    "credits_per_month",
    "writer_calls_per_day",
)
PLANS = (
    ("free", "Free", False, 1, 10, 3, 1, 200, 10),
    ("growth", "Growth", True, 5, 50, 10, 20, 20_000, 100),
    ("scale", "Scale", True, 50, 350, 25, 200, 400_000, 1_000),
)


def seed(apps, schema_editor):
    Plan = apps.get_model("apikeys", "Plan")
    Plan.objects.bulk_create(Plan(**dict(zip(FIELDS, plan, strict=True))) for plan in PLANS)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='Counter',
            fields=[
                ('key', models.CharField(max_length=250, primary_key=True, serialize=False)),
                ('value', models.BigIntegerField()),
                ('expires_at', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('email', models.EmailField(max_length=254, unique=True, verbose_name='email address')),
                ('own_max_sites', models.PositiveIntegerField(blank=True, null=True, verbose_name='sites')),
                ('own_max_prompts_per_site', models.PositiveIntegerField(blank=True, null=True, verbose_name='prompts per site')),
                ('own_max_competitors_per_site', models.PositiveIntegerField(blank=True, null=True, verbose_name='competitors per site')),
                ('own_drafts_per_month', models.PositiveIntegerField(blank=True, null=True, verbose_name='drafts per month')),
                ('own_credits_per_month', models.PositiveIntegerField(blank=True, null=True, verbose_name='credits per month')),
                ('own_writer_calls_per_day', models.PositiveIntegerField(blank=True, null=True, verbose_name='writer calls per day')),
                ('own_provider_cost_per_day', models.DecimalField(blank=True, decimal_places=2, max_digits=9, null=True, verbose_name='US dollars at providers per day')),
                ('own_max_samples', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='samples per prompt, at most')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'account',
                'ordering': ['email'],
                'permissions': [('deactivate_user', 'Can deactivate accounts'), ('reactivate_user', 'Can reactivate accounts'), ('set_password_user', 'Can set passwords of accounts')],
            },
            managers=[
                ('objects', apikeys.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='ApiKey',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(help_text='what the key is for', max_length=100)),
                ('digest', models.CharField(editable=False, help_text='SHA-256 of the key, hex', max_length=64, unique=True)),
                ('prefix', models.CharField(editable=False, max_length=16)),
                ('last_four', models.CharField(editable=False, max_length=4)),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('read:sites', 'Site list, portfolio summary, site brief'), ('read:visibility', 'Visibility scores and history, runs'), ('read:audits', 'Audit scores and findings'), ('read:prompts', 'Prompt list and detail of each prompt'), ('read:competitors', 'Competitor list and gap analysis'), ('read:recommendations', 'The recommendation queue with its fix prompts'), ('read:content', 'Content opportunities and drafts'), ('read:voice', 'Voice profile, review themes, buyer criteria, positioning claims'), ('write:prompts', 'Generate and refine prompts'), ('write:competitors', 'Add a competitor'), ('write:content', 'Generate a content draft'), ('run:visibility', 'Start visibility scans and comparisons (spends credits)'), ('run:audits', 'Start site audits (spends credits)')], max_length=40), size=None)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(editable=False, null=True)),
                ('revoked_reason', models.CharField(editable=False, max_length=200)),
                ('last_used_at', models.DateTimeField(editable=False, null=True)),
                ('form_nonce', models.UUIDField(editable=False, help_text='of the form that issued it', null=True, unique=True)),
                ('created_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_keys', to=settings.AUTH_USER_MODEL)),
                ('revoked_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('rotated_from', models.OneToOneField(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='rotated_to', to='apikeys.apikey')),
            ],
            options={
                'verbose_name': 'API key',
                'ordering': ['-created_at', 'id'],
                'permissions': [('issue_apikey', 'Can issue API keys'), ('revoke_apikey', 'Can revoke API keys'), ('rotate_apikey', 'Can rotate API keys'), ('grant_run_scopes', 'Can grant run scopes, which spend credits')],
            },
        ),
        migrations.CreateModel(
            name='Plan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('tier', models.SlugField(unique=True)),
                ('name', models.CharField(max_length=100)),
                ('api_access', models.BooleanField(default=False, verbose_name='API and agent access')),
                ('max_sites', models.PositiveIntegerField(verbose_name='sites')),
                ('max_prompts_per_site', models.PositiveIntegerField(verbose_name='prompts per site')),
                ('max_competitors_per_site', models.PositiveIntegerField(verbose_name='competitors per site')),
                ('drafts_per_month', models.PositiveIntegerField()),
                ('credits_per_month', models.PositiveIntegerField()),
                ('writer_calls_per_day', models.PositiveIntegerField(default=10)),
                ('provider_cost_per_day', models.DecimalField(blank=True, decimal_places=2, help_text='US dollars for all calls that an account pays, in a day (UTC); empty: no limit', max_digits=9, null=True, verbose_name='cost at providers per day, at most')),
                ('max_samples', models.PositiveSmallIntegerField(default=10, validators=[django.core.validators.MinValueValidator(1)], verbose_name='samples per prompt, at most')),
            ],
            options={
                'ordering': ['credits_per_month', 'tier'],
                'constraints': [models.CheckConstraint(condition=models.Q(('max_samples__gte', 1)), name='plan_samples_at_least_one'), models.CheckConstraint(condition=models.Q(('provider_cost_per_day__gte', 0)), name='plan_cost_not_negative')],
            },
        ),
        migrations.AddField(
            model_name='user',
            name='plan',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='users', to='apikeys.plan'),
        ),
        migrations.CreateModel(
            name='Usage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('credits', 'Credits'), ('drafts', 'Drafts'), ('writer_calls', 'Writer Calls')], max_length=20)),
                ('period', models.DateField(help_text='first day of the month, or the day, in UTC')),
                ('used', models.PositiveBigIntegerField(default=0)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='usage', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'usage',
                'ordering': ['-period', 'user', 'kind'],
            },
        ),
        migrations.CreateModel(
            name='CallLog',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('door', models.CharField(choices=[('rest', 'REST'), ('mcp', 'Agent')], max_length=8)),
                ('name', models.CharField(help_text="the endpoint's template, the tool's name or the method", max_length=120)),
                ('success', models.BooleanField()),
                ('error_code', models.CharField(blank=True, max_length=40)),
                ('duration_ms', models.FloatField()),
                ('request_id', models.CharField(blank=True, max_length=64)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('count', models.PositiveIntegerField(default=1, help_text='above 1 only for rate refusals: one row a minute')),
                ('key', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='calls', to='apikeys.apikey')),
            ],
            options={
                'verbose_name': 'call',
                'verbose_name_plural': 'call log',
                'ordering': ['-created_at', '-id'],
                'indexes': [models.Index(fields=['key', '-created_at'], name='calllog_key_time'), models.Index(fields=['created_at'], name='calllog_time')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('error_code', 'rate_limited')), fields=('key', 'created_at'), name='calllog_one_refusal_row_per_minute')],
            },
        ),
        migrations.CreateModel(
            name='IdempotentCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('tool', models.CharField(help_text='name of the tool without its prefix', max_length=64)),
                ('key', models.CharField(max_length=255)),
                ('digest', models.CharField(help_text='SHA-256 of the arguments in their canonical form', max_length=64)),
                ('subject', models.UUIDField(help_text='the brand that the call is about')),
                ('token', models.UUIDField()),
                ('lease_until', models.DateTimeField()),
                ('result', models.TextField(blank=True, help_text='the result as JSON')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('finished_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='idempotent_calls', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['subject'], name='idempotent_call_subject'), models.Index(fields=['created_at'], name='idempotent_call_time')],
                'constraints': [models.UniqueConstraint(fields=('user', 'tool', 'key'), name='idempotent_call_once')],
            },
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('email'), name='user_email_unique_any_case'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('own_max_samples__gte', 1)), name='user_samples_at_least_one'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('own_provider_cost_per_day__gte', 0)), name='user_cost_not_negative'),
        ),
        migrations.AddConstraint(
            model_name='usage',
            constraint=models.UniqueConstraint(fields=('user', 'kind', 'period'), name='usage_once_per_period'),
        ),
        migrations.RunPython(seed, migrations.RunPython.noop),
        # Counters are lost by a crash and nobody misses them; without a log they cost less.
        migrations.RunSQL("ALTER TABLE apikeys_counter SET UNLOGGED", "ALTER TABLE apikeys_counter SET LOGGED"),
    ]
