"""The tables of this app."""

import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Brand',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=200)),
                ('domain', models.CharField(help_text='host name without scheme', max_length=253)),
                ('description', models.TextField(blank=True)),
                ('region', models.CharField(blank=True, help_text='country code (ISO 3166) for prompts without one of their own', max_length=2, validators=[django.core.validators.RegexValidator('^[A-Z]{2}$', 'Give a country code of two letters, such as DE.')])),
                ('cadence', models.CharField(choices=[('manual', 'Manual'), ('daily', 'Daily'), ('weekly', 'Weekly'), ('monthly', 'Monthly')], default='manual', max_length=10)),
                ('samples', models.PositiveSmallIntegerField(default=3, help_text='answers asked of each engine for each prompt; at least 2 for an interval of the panel', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)])),
                ('next_run_at', models.DateTimeField(editable=False, help_text='when the cadence starts the next scan', null=True)),
                ('names_version', models.PositiveIntegerField(default=1, editable=False, help_text="counts changes of names and domains, the competitors' included")),
                ('counted_version', models.PositiveIntegerField(default=1, editable=False, help_text='the names_version that the figures were counted with')),
                ('detector_version', models.PositiveSmallIntegerField(default=0, editable=False, help_text='of the detector with which history is, or is about to be, counted')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='brands', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['name', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Collaborator',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('editor', 'Editor'), ('viewer', 'Viewer')], default='editor', max_length=10)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='collaborators', to='brands.brand')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='collaborations', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['brand', 'user'],
            },
        ),
        migrations.CreateModel(
            name='Competitor',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=200)),
                ('domain', models.CharField(max_length=253)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='competitors', to='brands.brand')),
            ],
            options={
                'ordering': ['name', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Domain',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('domain', models.CharField(max_length=253)),
                ('is_main', models.BooleanField(default=False, editable=False)),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='domains', to='brands.brand')),
                ('competitor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='domains', to='brands.competitor')),
            ],
            options={
                'ordering': ['-is_main', 'domain'],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('email', models.EmailField(max_length=254)),
                ('role', models.CharField(choices=[('editor', 'Editor'), ('viewer', 'Viewer'), ('owner', 'Owner')], default='editor', max_length=10)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='brands.brand')),
                ('invited_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['brand', 'email'],
            },
        ),
        migrations.CreateModel(
            name='Name',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=200)),
                ('key', models.CharField(editable=False, max_length=600)),
                ('is_main', models.BooleanField(default=False, editable=False)),
                ('case_sensitive', models.BooleanField(default=False, help_text='only these capitals are the name')),
                ('required_near', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=50), blank=True, default=list, help_text='one of these words stands in the line', size=None)),
                ('forbidden_near', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=50), blank=True, default=list, help_text='none of these words stands beside it', size=None)),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='names', to='brands.brand')),
                ('competitor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='names', to='brands.competitor')),
            ],
            options={
                'ordering': ['-is_main', 'text'],
            },
        ),
        migrations.CreateModel(
            name='NameChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('name', 'Name'), ('domain', 'Domain'), ('competitor', 'Competitor')], max_length=10)),
                ('text', models.CharField(max_length=253)),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='name_changes', to='brands.brand')),
            ],
            options={
                'ordering': ['brand', 'version'],
            },
        ),
        migrations.AddIndex(
            model_name='brand',
            index=models.Index(fields=['owner', 'name', 'id'], name='brand_owner_name'),
        ),
        migrations.AddIndex(
            model_name='brand',
            index=models.Index(condition=models.Q(('next_run_at__isnull', False)), fields=['next_run_at'], name='brand_due'),
        ),
        migrations.AddConstraint(
            model_name='brand',
            constraint=models.UniqueConstraint(fields=('owner', 'domain'), name='brand_domain_once_per_owner'),
        ),
        migrations.AddConstraint(
            model_name='brand',
            constraint=models.CheckConstraint(condition=models.Q(('cadence__in', ['manual', 'daily', 'weekly', 'monthly'])), name='brand_cadence_known'),
        ),
        migrations.AddConstraint(
            model_name='brand',
            constraint=models.CheckConstraint(condition=models.Q(('samples__gte', 1)), name='brand_samples_at_least_one'),
        ),
        migrations.AddConstraint(
            model_name='collaborator',
            constraint=models.UniqueConstraint(fields=('brand', 'user'), name='collaborator_once_per_brand'),
        ),
        migrations.AddConstraint(
            model_name='collaborator',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['editor', 'viewer'])), name='collaborator_role_known'),
        ),
        migrations.AddConstraint(
            model_name='domain',
            constraint=models.UniqueConstraint(fields=('brand', 'domain'), name='domain_belongs_to_one'),
        ),
        migrations.AddConstraint(
            model_name='domain',
            constraint=models.UniqueConstraint(condition=models.Q(('is_main', True)), fields=('brand', 'competitor'), name='domain_one_main', nulls_distinct=False),
        ),
        migrations.AddIndex(
            model_name='invitation',
            index=models.Index(django.db.models.functions.text.Lower('email'), name='invitation_email'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.UniqueConstraint(models.F('brand'), django.db.models.functions.text.Lower('email'), name='invitation_once_per_brand'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['editor', 'viewer', 'owner'])), name='invitation_role_known'),
        ),
        migrations.AddConstraint(
            model_name='name',
            constraint=models.UniqueConstraint(fields=('brand', 'key'), name='name_belongs_to_one'),
        ),
        migrations.AddConstraint(
            model_name='name',
            constraint=models.UniqueConstraint(condition=models.Q(('is_main', True)), fields=('brand', 'competitor'), name='name_one_main', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='namechange',
            constraint=models.UniqueConstraint(fields=('brand', 'version', 'kind', 'text'), name='name_change_once'),
        ),
        migrations.AddConstraint(
            model_name='namechange',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['name', 'domain', 'competitor'])), name='name_change_kind_known'),
        ),
    ]
