"""Apps that sign in for people. Keys that exist already are not open to them until an operator says so."""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('apikeys', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='ConnectionSecret',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('code', 'Code'), ('access', 'Access'), ('refresh', 'Refresh')], max_length=8)),
                ('digest', models.CharField(help_text='SHA-256, hex', max_length=64, unique=True)),
                ('challenge', models.CharField(blank=True, help_text='of a code: PKCE, S256', max_length=43)),
                ('redirect_uri', models.CharField(blank=True, help_text='of a code: where it was sent', max_length=2000)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField(db_index=True)),
                ('spent_at', models.DateTimeField(null=True)),
                ('repeats', models.PositiveSmallIntegerField(default=0, help_text='how often it was used again after that')),
            ],
        ),
        migrations.AddField(
            model_name='apikey',
            name='may_connect',
            field=models.BooleanField(default=False, help_text='the owner may let apps use it by signing in', verbose_name='apps may connect'),
        ),
        migrations.AlterField(
            model_name='apikey',
            name='may_connect',
            field=models.BooleanField(default=True, help_text='the owner may let apps use it by signing in', verbose_name='apps may connect'),
        ),
        migrations.CreateModel(
            name='App',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('client_id', models.CharField(editable=False, max_length=500, unique=True)),
                ('source', models.CharField(choices=[('document', 'Document'), ('registered', 'Registered'), ('operator', 'Operator')], editable=False, max_length=12)),
                ('name', models.CharField(help_text='as the app names itself; nobody has checked it', max_length=100)),
                ('redirect_uris', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=2000), help_text='where browsers may be sent back to', size=None)),
                ('secret_digest', models.CharField(blank=True, editable=False, help_text='SHA-256 of its secret', max_length=64)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('fresh_until', models.DateTimeField(editable=False, null=True)),
                ('blocked_at', models.DateTimeField(editable=False, null=True)),
                ('blocked_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at', 'id'],
                'permissions': [('block_app', 'Can block apps, and let them in again')],
            },
        ),
        migrations.CreateModel(
            name='Connection',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('read:sites', 'Site list, portfolio summary, site brief'), ('read:visibility', 'Visibility scores and history, runs'), ('read:audits', 'Audit scores and findings'), ('read:prompts', 'Prompt list and detail of each prompt'), ('read:competitors', 'Competitor list and gap analysis'), ('read:recommendations', 'The recommendation queue with its fix prompts'), ('read:content', 'Content opportunities and drafts'), ('read:voice', 'Voice profile, review themes, buyer criteria, positioning claims'), ('write:prompts', 'Generate and refine prompts'), ('write:competitors', 'Add a competitor'), ('write:content', 'Generate a content draft'), ('run:visibility', 'Start visibility scans and comparisons (spends credits)'), ('run:audits', 'Start site audits (spends credits)')], max_length=40), size=None)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('last_used_at', models.DateTimeField(editable=False, null=True)),
                ('ended_at', models.DateTimeField(editable=False, null=True)),
                ('ended_why', models.CharField(blank=True, editable=False, max_length=100)),
                ('app', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='connections', to='apikeys.app')),
                ('key', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='connections', to='apikeys.apikey')),
            ],
            options={
                'ordering': ['-created_at', 'id'],
                'permissions': [('end_connection', 'Can end connections of apps')],
            },
        ),
        migrations.AddField(
            model_name='calllog',
            name='connection',
            field=models.ForeignKey(db_index=False, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='calls', to='apikeys.connection'),
        ),
        migrations.AddIndex(
            model_name='calllog',
            index=models.Index(condition=models.Q(('connection__isnull', False)), fields=['connection'], name='calllog_connection'),
        ),
        migrations.AddField(
            model_name='connectionsecret',
            name='connection',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='secrets', to='apikeys.connection'),
        ),
        migrations.AddIndex(
            model_name='connection',
            index=models.Index(condition=models.Q(('ended_at__isnull', False)), fields=['ended_at'], name='connection_ended'),
        ),
    ]
