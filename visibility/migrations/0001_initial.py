"""The tables of this app, and the one engine that needs no key: `local-search`, which quotes stored pages."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


def add_local_search(apps, schema_editor):
    apps.get_model("visibility", "Engine").objects.create(name="local-search", preset="local-search", is_enabled=True)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('brands', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Answer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(help_text='the UTC day that it counts for')),
                ('surface', models.CharField(choices=[('api', 'Api'), ('app', 'App'), ('api_imported', 'Api Imported'), ('imported', 'Imported'), ('pages', 'Pages')], max_length=12)),
                ('sample', models.PositiveIntegerField(default=1, help_text='1 for the first time the wording is asked')),
                ('position', models.PositiveIntegerField(help_text='order of asking within the run')),
                ('state', models.CharField(choices=[('pending', 'Pending'), ('answered', 'Answered'), ('failed', 'Failed')], default='pending', max_length=10)),
                ('text', models.TextField(blank=True)),
                ('sources', models.JSONField(default=list, help_text='citations as the engine gave them: url and title')),
                ('searched', models.BooleanField(help_text='whether the engine searched the web; null: not known', null=True)),
                ('searches', models.JSONField(default=list, help_text='what it searched for')),
                ('unknown_parts', models.JSONField(default=list, help_text='what its body held that nobody can read yet')),
                ('truncated', models.BooleanField(default=False)),
                ('refused', models.BooleanField(default=False, help_text='the model declined: an answer without a mention')),
                ('served_model', models.CharField(blank=True, max_length=100)),
                ('country', models.CharField(blank=True, help_text='whose answer it is, as the engine says', max_length=2)),
                ('attempts', models.PositiveSmallIntegerField(default=0, help_text='calls that failed')),
                ('not_before', models.DateTimeField(help_text='when it may be asked again', null=True)),
                ('latency_ms', models.PositiveIntegerField(null=True)),
                ('answered_at', models.DateTimeField(null=True)),
                ('error_code', models.CharField(blank=True, max_length=40)),
                ('error_message', models.CharField(blank=True, max_length=500)),
                ('import_key', models.CharField(max_length=64, null=True, unique=True)),
                ('names_version', models.PositiveIntegerField(default=0)),
                ('words', models.GeneratedField(db_persist=True, expression=django.contrib.postgres.search.SearchVector(models.Func(models.Func(models.F('text'), models.Value('https?://[^\\s()<>\\]]+'), models.Value(' '), models.Value('g'), function='regexp_replace'), models.Value('!"#$&()*+,-./:;<=>?@[\\]^_`{|}~'), models.Value('                              '), function='translate', output_field=models.TextField()), config='simple'), output_field=django.contrib.postgres.search.SearchVectorField())),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='brands.brand')),
            ],
            options={
                'ordering': ['run', 'position'],
            },
        ),
        migrations.CreateModel(
            name='Run',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('visibility', 'Visibility'), ('audit', 'Audit'), ('comparison', 'Comparison')], max_length=12)),
                ('status', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('succeeded', 'Succeeded'), ('partial', 'Partial'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=10)),
                ('trigger', models.CharField(choices=[('schedule', 'Schedule'), ('agent', 'Agent'), ('web', 'Web'), ('operator', 'Operator'), ('import', 'Import')], max_length=10)),
                ('actor', models.CharField(blank=True, help_text='who started it', max_length=100)),
                ('day', models.DateField(help_text='the UTC day that the run counts for', null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('started_at', models.DateTimeField(null=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('total', models.PositiveIntegerField(default=0)),
                ('done', models.PositiveIntegerField(default=0)),
                ('failed', models.PositiveIntegerField(default=0)),
                ('score', models.FloatField(help_text='0 to 100; null: not measured', null=True)),
                ('low', models.FloatField(null=True)),
                ('high', models.FloatField(null=True)),
                ('error_code', models.CharField(blank=True, max_length=40)),
                ('error_message', models.CharField(blank=True, max_length=500)),
                ('credits_reserved', models.PositiveIntegerField(default=0)),
                ('credits_spent', models.PositiveIntegerField(default=0)),
                ('credits_month', models.DateField(help_text='the month that the credits were reserved in', null=True)),
                ('settled_at', models.DateTimeField(null=True)),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='brands.brand')),
                ('payer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='EngineAccount',
            fields=[
                ('digest', models.CharField(help_text='of the address and the key', max_length=32, primary_key=True, serialize=False)),
                ('window', models.FloatField(default=1, help_text='1: all that the engine allows at once; halved by a refusal')),
                ('paused_until', models.DateTimeField(help_text='the provider asked to wait', null=True)),
                ('open_until', models.DateTimeField(help_text='the breaker: the provider does not answer', null=True)),
                ('failures', models.PositiveIntegerField(default=0, help_text="in a row, of the provider's own")),
                ('failing_since', models.DateTimeField(null=True)),
                ('paced_until', models.DateTimeField(help_text='when the requests so far will have kept the pace', null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Preference',
            fields=[
                ('answer', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='preference', serialize=False, to='visibility.answer')),
                ('side', models.CharField(choices=[('brand', 'Brand'), ('competitor', 'Competitor'), ('nobody', 'Nobody')], max_length=10)),
                ('rule', models.CharField(max_length=20)),
                ('start', models.PositiveIntegerField()),
                ('end', models.PositiveIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='RawBody',
            fields=[
                ('answer', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='raw_body', serialize=False, to='visibility.answer')),
                ('body', models.BinaryField()),
                ('created_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
            ],
        ),
        migrations.AddField(
            model_name='answer',
            name='run',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='visibility.run'),
        ),
        migrations.CreateModel(
            name='AuditFinding',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField(help_text='1 is to be mended first')),
                ('check_id', models.CharField(max_length=10)),
                ('category', models.CharField(max_length=20)),
                ('severity', models.CharField(max_length=10)),
                ('finding', models.JSONField(help_text='as every door shows it')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='findings', to='visibility.run')),
            ],
            options={
                'ordering': ['run', 'position'],
            },
        ),
        migrations.CreateModel(
            name='AuditPage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField(help_text='order of asking; 0 is the home page')),
                ('url', models.TextField()),
                ('reader', models.PositiveSmallIntegerField()),
                ('page', models.BinaryField()),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='audit_pages', to='visibility.run')),
            ],
            options={
                'ordering': ['run', 'position'],
            },
        ),
        migrations.CreateModel(
            name='ChangeRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('engine', models.CharField(blank=True, help_text='name and surface; empty: over engines', max_length=80)),
                ('began', models.DateField(help_text='the day of the move; where the monitor raised it, about when it began')),
                ('known_by', models.CharField(choices=[('confirmed', 'Confirmed'), ('monitor', 'Monitor')], max_length=9)),
                ('known_on', models.DateField(help_text='the measured day that confirmed it, or on which the monitor raised it')),
                ('reported_until', models.DateField()),
                ('state', models.CharField(choices=[('holds', 'Holds'), ('recovered', 'Recovered')], default='holds', max_length=9)),
                ('state_since', models.DateField(help_text='the measured day since which it has this state')),
                ('before', models.FloatField()),
                ('before_days', models.PositiveSmallIntegerField(help_text='how many days `before` is the mean of')),
                ('after', models.FloatField()),
                ('after_day', models.DateField()),
                ('delta', models.FloatField()),
                ('low', models.FloatField(null=True)),
                ('high', models.FloatField(null=True)),
                ('context', models.JSONField(default=dict, help_text='competitors that moved and sources that appeared or vanished over the same days')),
                ('parts', models.JSONField(default=dict, help_text='topics, engines, wordings: each a list of key and points')),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='change_records', to='brands.brand')),
            ],
            options={
                'ordering': ['brand', '-began', 'engine'],
            },
        ),
        migrations.CreateModel(
            name='Citation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('url', models.TextField()),
                ('digest', models.BinaryField(help_text='BLAKE2b of the URL', max_length=16)),
                ('domain', models.CharField(help_text='registrable domain', max_length=253)),
                ('title', models.CharField(blank=True, max_length=500)),
                ('position', models.PositiveSmallIntegerField()),
                ('source_class', models.CharField(max_length=12)),
                ('is_own', models.BooleanField(default=False)),
                ('answer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='citations', to='visibility.answer')),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='citations', to='brands.brand')),
                ('competitor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='citations', to='brands.competitor')),
            ],
            options={
                'ordering': ['answer', 'position'],
            },
        ),
        migrations.CreateModel(
            name='CitedPage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.TextField()),
                ('digest', models.BinaryField(help_text='BLAKE2b of the URL, as of citations', max_length=16)),
                ('read_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('error', models.CharField(blank=True, help_text='why it could not be read; empty: it was read', max_length=200)),
                ('title', models.CharField(blank=True, max_length=500)),
                ('changed_on', models.DateField(help_text='the newest day that the page states', null=True)),
                ('names_brand', models.BooleanField(help_text='null: not read', null=True)),
                ('competitors', models.JSONField(default=list, help_text='names of the competitors on it')),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cited_pages', to='brands.brand')),
            ],
            options={
                'ordering': ['brand', 'url'],
            },
        ),
        migrations.CreateModel(
            name='DailyScore',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('date', models.DateField(null=True)),
                ('score', models.FloatField(null=True)),
                ('low', models.FloatField(null=True)),
                ('high', models.FloatField(null=True)),
                ('figures', models.JSONField(default=dict)),
                ('comparable', models.BooleanField(help_text='with the measured day before; null: there is none', null=True)),
                ('change', models.JSONField(help_text='since the measured day before', null=True)),
                ('runs', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), default=list, help_text='the runs that were pooled', size=None)),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='daily_scores', to='brands.brand')),
                ('competitor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='daily_scores', to='brands.competitor')),
            ],
            options={
                'ordering': ['brand', 'date'],
            },
        ),
        migrations.CreateModel(
            name='Engine',
            fields=[
                ('id', models.SmallAutoField(primary_key=True, serialize=False)),
                ('name', models.SlugField(max_length=64, unique=True)),
                ('preset', models.CharField(blank=True, help_text='the provider; empty: known from imports only', max_length=32)),
                ('model', models.CharField(blank=True, help_text='as the provider calls it', max_length=100)),
                ('base_url', models.URLField(blank=True, help_text="empty: the provider's own address")),
                ('search', models.BooleanField(default=True, help_text='whether the model may search the web')),
                ('is_enabled', models.BooleanField(default=False)),
                ('writes', models.BooleanField(default=False, help_text='writes drafts and refines evidence; at most one engine does')),
                ('max_output_tokens', models.PositiveIntegerField(default=8192, validators=[django.core.validators.MinValueValidator(1)])),
                ('max_searches', models.PositiveSmallIntegerField(default=5, validators=[django.core.validators.MinValueValidator(1)])),
                ('max_samples', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1)])),
                ('concurrency', models.PositiveSmallIntegerField(default=8, help_text='questions under way at once', validators=[django.core.validators.MinValueValidator(1)])),
                ('requests_per_minute', models.PositiveIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1)])),
                ('input_price', models.DecimalField(blank=True, decimal_places=4, help_text='US dollars for a million tokens', max_digits=9, null=True)),
                ('output_price', models.DecimalField(blank=True, decimal_places=4, help_text='US dollars for a million tokens', max_digits=9, null=True)),
                ('search_price', models.DecimalField(blank=True, decimal_places=4, help_text='US dollars for a thousand searches', max_digits=9, null=True)),
            ],
            options={
                'ordering': ['name'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('writes', True)), fields=('writes',), name='engine_one_writes'), models.CheckConstraint(condition=models.Q(('preset', 'local-search'), ('writes', True), _negated=True), name='engine_writer_is_a_model')],
            },
        ),
        migrations.CreateModel(
            name='BrandEngine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chosen_engines', to='brands.brand')),
                ('engine', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='visibility.engine')),
            ],
            options={
                'ordering': ['brand', 'engine'],
            },
        ),
        migrations.AddField(
            model_name='answer',
            name='engine',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='visibility.engine'),
        ),
        migrations.CreateModel(
            name='Mention',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('start', models.PositiveIntegerField()),
                ('end', models.PositiveIntegerField()),
                ('rank', models.PositiveSmallIntegerField(help_text='1 for the first pick; null: not offered', null=True)),
                ('rule', models.CharField(max_length=20)),
                ('rank_rule', models.CharField(blank=True, max_length=20)),
                ('stance', models.CharField(max_length=12)),
                ('quote_start', models.PositiveIntegerField()),
                ('quote_end', models.PositiveIntegerField()),
                ('answer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='mentions', to='visibility.answer')),
                ('competitor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='mentions', to='brands.competitor')),
            ],
            options={
                'ordering': ['answer', 'start'],
            },
        ),
        migrations.CreateModel(
            name='Page',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('url', models.TextField()),
                ('title', models.CharField(blank=True, max_length=500)),
                ('text', models.TextField()),
                ('published_on', models.DateField(null=True)),
                ('stored_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('words', models.GeneratedField(db_persist=True, expression=django.contrib.postgres.search.CombinedSearchVector(django.contrib.postgres.search.SearchVector('title', config='simple', weight='A'), '||', django.contrib.postgres.search.SearchVector('text', config='simple'), django.contrib.postgres.search.SearchConfig('simple')), output_field=django.contrib.postgres.search.SearchVectorField())),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pages', to='brands.brand')),
            ],
            options={
                'ordering': ['brand', 'url'],
            },
        ),
        migrations.CreateModel(
            name='Prompt',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('text', models.TextField(help_text='the current wording, as it is asked')),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('stage', models.CharField(blank=True, choices=[('awareness', 'Awareness'), ('consideration', 'Consideration'), ('decision', 'Decision')], max_length=20)),
                ('intent', models.CharField(blank=True, choices=[('informational', 'Informational'), ('comparison', 'Comparison'), ('transactional', 'Transactional')], max_length=20)),
                ('persona', models.CharField(blank=True, max_length=200)),
                ('locale', models.CharField(blank=True, help_text='BCP 47, such as en-GB; empty: not stated', max_length=20)),
                ('purpose', models.CharField(choices=[('visibility', 'Visibility'), ('comparison', 'Comparison')], default='visibility', editable=False, max_length=10)),
                ('digest', models.CharField(editable=False, max_length=64)),
                ('archived_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='prompts', to='brands.brand')),
                ('competitor', models.ForeignKey(editable=False, help_text='of a comparison', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='brands.competitor')),
            ],
            options={
                'ordering': ['topic', 'created_at', 'id'],
            },
        ),
        migrations.AddField(
            model_name='answer',
            name='prompt',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='visibility.prompt'),
        ),
        migrations.CreateModel(
            name='PromptVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('text', models.TextField()),
                ('locale', models.CharField(blank=True, max_length=20)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('created_by', models.CharField(blank=True, help_text='the actor of the caller', max_length=100)),
                ('prompt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='visibility.prompt')),
            ],
            options={
                'ordering': ['prompt', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Cell',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('surface', models.CharField(choices=[('api', 'Api'), ('app', 'App'), ('api_imported', 'Api Imported'), ('imported', 'Imported'), ('pages', 'Pages')], max_length=12)),
                ('answers', models.PositiveSmallIntegerField(help_text='answered, of those asked for')),
                ('failed', models.PositiveSmallIntegerField(default=0)),
                ('mentioned', models.PositiveSmallIntegerField(default=0, help_text='answers that name the subject')),
                ('ranked', models.PositiveSmallIntegerField(default=0, help_text='of these, those that give it a place')),
                ('first', models.PositiveSmallIntegerField(default=0)),
                ('gain', models.FloatField(default=0)),
                ('gain_squares', models.FloatField(default=0, help_text='the sum of the squares of these')),
                ('recommended', models.PositiveSmallIntegerField(default=0)),
                ('cautioned', models.PositiveSmallIntegerField(default=0, help_text='cautioned or rejected')),
                ('alone', models.PositiveSmallIntegerField(default=0, help_text='answers that name no other tracked subject')),
                ('cited', models.PositiveSmallIntegerField(default=0, help_text='answers that cite a domain of the subject')),
                ('comentions', models.PositiveIntegerField(default=0, help_text='over the answers that name the subject, the sum of how many subjects each names')),
                ('without_brand', models.PositiveSmallIntegerField(default=0, help_text='answers that name the competitor and not the brand')),
                ('named', models.BooleanField(default=False, help_text='the prompt itself names the subject')),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cells', to='brands.brand')),
                ('competitor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='cells', to='brands.competitor')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cells', to='visibility.run')),
                ('engine', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='visibility.engine')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cells', to='visibility.promptversion')),
            ],
            options={
                'ordering': ['brand', 'day'],
            },
        ),
        migrations.AddField(
            model_name='answer',
            name='version',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='visibility.promptversion'),
        ),
        migrations.CreateModel(
            name='ProviderCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('settled_at', models.DateTimeField(null=True)),
                ('outcome', models.CharField(choices=[('pending', 'Pending'), ('answered', 'Answered'), ('charged', 'Charged'), ('failed', 'Failed'), ('unknown', 'Unknown')], default='pending', max_length=10)),
                ('purpose', models.CharField(choices=[('scan', 'Scan'), ('comparison', 'Comparison'), ('check', 'Check'), ('writer', 'Writer')], default='scan', max_length=12)),
                ('engine', models.CharField(max_length=64)),
                ('account', models.CharField(help_text='digest of the account at the provider', max_length=32)),
                ('payer', models.BigIntegerField(help_text='id of the account that pays; null: the operator', null=True)),
                ('brand', models.UUIDField(null=True)),
                ('brand_name', models.CharField(blank=True, max_length=200)),
                ('run', models.UUIDField(null=True)),
                ('answer', models.BigIntegerField(null=True)),
                ('reserved', models.DecimalField(decimal_places=6, default=0, help_text='before it was asked', max_digits=12)),
                ('cost', models.DecimalField(decimal_places=6, max_digits=12, null=True)),
                ('cost_source', models.CharField(blank=True, max_length=12)),
                ('usage', models.JSONField(default=dict, help_text='tokens and searches by name')),
                ('error_code', models.CharField(blank=True, max_length=40)),
            ],
            options={
                'ordering': ['-created_at', '-id'],
                'indexes': [models.Index(condition=models.Q(('outcome', 'pending')), fields=['account'], name='provider_call_open'), models.Index(fields=['payer', 'created_at'], name='provider_call_payer_time'), models.Index(fields=['created_at'], name='provider_call_time'), models.Index(fields=['run'], name='provider_call_run'), models.Index(condition=models.Q(('cost__isnull', False)), fields=['engine', '-id'], name='provider_call_known_cost')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('outcome', 'pending')), fields=('answer',), name='provider_call_one_open_per_answer')],
            },
        ),
        migrations.CreateModel(
            name='Recommendation',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(max_length=40)),
                ('subject', models.CharField(max_length=300)),
                ('title', models.TextField(help_text='one line; words of others stand in it between marks')),
                ('summary', models.TextField()),
                ('status', models.CharField(choices=[('open', 'Open'), ('in_progress', 'In Progress'), ('done', 'Done'), ('dismissed', 'Dismissed'), ('resolved', 'Resolved')], default='open', max_length=12)),
                ('priority', models.PositiveSmallIntegerField(validators=[django.core.validators.MaxValueValidator(100)])),
                ('impact', models.CharField(choices=[('low', 'Low'), ('medium', 'Medium'), ('high', 'High')], max_length=6)),
                ('effort', models.CharField(choices=[('low', 'Low'), ('medium', 'Medium'), ('high', 'High')], max_length=6)),
                ('evidence', models.JSONField(default=list, help_text='a list of Evidence')),
                ('payload', models.JSONField(default=dict, help_text='fixPrompt and what else the kind needs')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('updated_at', models.DateTimeField(default=django.utils.timezone.now, help_text='moves when something in it changed')),
                ('status_changed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('status_changed_by', models.CharField(blank=True, help_text='actor of the caller; empty: measured', max_length=100)),
                ('status_reason', models.CharField(blank=True, help_text='why it is in this state, where known', max_length=300)),
                ('proof', models.JSONField(help_text='what was counted when it was marked as done, see proofs.py', null=True)),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='recommendations', to='brands.brand')),
                ('first_seen_run', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='visibility.run')),
                ('last_seen_run', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='visibility.run')),
            ],
            options={
                'ordering': ['-priority', '-created_at', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Review',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.BinaryField(help_text='BLAKE2b of source, day and text', max_length=16)),
                ('text', models.TextField()),
                ('stars', models.FloatField(help_text='1 to 5; null: not stated', null=True)),
                ('source', models.CharField(blank=True, help_text='where it was published', max_length=200)),
                ('url', models.TextField(blank=True)),
                ('day', models.DateField(null=True)),
                ('imported_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reviews', to='brands.brand')),
            ],
            options={
                'ordering': ['brand', '-day', 'id'],
            },
        ),
        migrations.CreateModel(
            name='RunEngine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('surface', models.CharField(choices=[('api', 'Api'), ('app', 'App'), ('api_imported', 'Api Imported'), ('imported', 'Imported'), ('pages', 'Pages')], max_length=12)),
                ('total', models.PositiveIntegerField(default=0)),
                ('done', models.PositiveIntegerField(default=0)),
                ('failed', models.PositiveIntegerField(default=0)),
                ('samples', models.PositiveSmallIntegerField(default=1)),
                ('served_models', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=100), default=list, size=None)),
                ('countries', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=2), default=list, size=None)),
                ('engine', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='visibility.engine')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='engines', to='visibility.run')),
            ],
            options={
                'ordering': ['run', 'engine'],
            },
        ),
        migrations.CreateModel(
            name='Topic',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=200)),
                ('own', models.BooleanField(help_text='null: undecided; it counts, and is asked about first', null=True)),
                ('decided_by', models.CharField(blank=True, help_text='the actor of the caller', max_length=100)),
                ('decided_at', models.DateTimeField(null=True)),
                ('pooled', models.BooleanField(default=False, help_text='an import put its wordings together by their words')),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='topics', to='brands.brand')),
            ],
            options={
                'ordering': ['name'],
            },
        ),
        migrations.AddField(
            model_name='prompt',
            name='topic',
            field=models.ForeignKey(help_text='null: of a comparison', null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='prompts', to='visibility.topic'),
        ),
        migrations.CreateModel(
            name='EvidenceItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('criterion', 'Criterion'), ('claim', 'Claim'), ('theme', 'Theme'), ('voice', 'Voice'), ('refinement', 'Refinement')], max_length=10)),
                ('position', models.PositiveSmallIntegerField()),
                ('item', models.JSONField(help_text='the resource of its kind')),
                ('refined_by', models.CharField(blank=True, help_text='the engine that refined it; empty: none', max_length=64)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='evidence', to='brands.brand')),
                ('topic', models.ForeignKey(help_text='of a criterion', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='visibility.topic')),
            ],
            options={
                'ordering': ['brand', 'kind', 'position'],
            },
        ),
        migrations.CreateModel(
            name='Draft',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('opportunity', models.CharField(help_text='id of the opportunity that it was made for', max_length=120)),
                ('format', models.CharField(choices=[('article', 'Article'), ('faq', 'Faq'), ('comparison', 'Comparison'), ('landing', 'Landing')], max_length=10)),
                ('title', models.CharField(max_length=300)),
                ('markdown', models.TextField()),
                ('sources', models.JSONField(default=list, help_text='a list of Source, see content/resources.py')),
                ('checks', models.JSONField(default=list, help_text='a list of Check')),
                ('writer', models.JSONField(help_text='kind (brief, engine), engine and model')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('created_by', models.CharField(blank=True, help_text='the actor of the caller', max_length=100)),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='drafts', to='brands.brand')),
                ('recommendation', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='drafts', to='visibility.recommendation')),
                ('topic', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='visibility.topic')),
            ],
            options={
                'ordering': ['brand', '-created_at', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Diagnosis',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('facts', models.JSONField(default=list, help_text='slot and sentence of each, words of others between marks')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, help_text='moves when something in it changed')),
                ('brand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='diagnoses', to='brands.brand')),
                ('topic', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='visibility.topic')),
            ],
            options={
                'ordering': ['brand', 'topic'],
            },
        ),
        migrations.CreateModel(
            name='UntrackedName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200)),
                ('start', models.PositiveIntegerField()),
                ('end', models.PositiveIntegerField()),
                ('domain', models.CharField(blank=True, help_text='a cited domain that is called so', max_length=253)),
                ('answer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='untracked_names', to='visibility.answer')),
            ],
            options={
                'ordering': ['answer', 'start'],
            },
        ),
        migrations.CreateModel(
            name='Audit',
            fields=[
                ('run', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='audit', serialize=False, to='visibility.run')),
                ('max_pages', models.PositiveSmallIntegerField()),
                ('unused_path', models.CharField(help_text='a path that cannot exist on the site', max_length=64)),
                ('gathered', models.BinaryField(null=True)),
                ('report', models.JSONField(null=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('max_pages__gte', 1)), name='audit_at_least_one_page')],
            },
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['brand', '-created_at', '-id'], name='run_brand_newest'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.UniqueConstraint(condition=models.Q(('status__in', ['queued', 'running']), models.Q(('trigger', 'import'), _negated=True)), fields=('brand', 'kind'), name='run_one_active_per_brand_and_kind'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(('done__lte', models.F('total'))), name='run_done_within_total'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(('credits_spent__lte', models.F('credits_reserved'))), name='run_spent_reserved'),
        ),
        migrations.AddConstraint(
            model_name='auditfinding',
            constraint=models.UniqueConstraint(fields=('run', 'check_id'), name='audit_finding_once_per_check'),
        ),
        migrations.AddConstraint(
            model_name='auditpage',
            constraint=models.UniqueConstraint(fields=('run', 'position'), name='audit_page_position_once'),
        ),
        migrations.AddConstraint(
            model_name='changerecord',
            constraint=models.UniqueConstraint(fields=('brand', 'engine', 'began'), name='change_record_once'),
        ),
        migrations.AddIndex(
            model_name='citation',
            index=models.Index(fields=['brand', 'domain', 'day'], name='citation_brand_domain_day'),
        ),
        migrations.AddConstraint(
            model_name='citation',
            constraint=models.UniqueConstraint(fields=('answer', 'digest'), name='citation_once_per_answer'),
        ),
        migrations.AddIndex(
            model_name='citedpage',
            index=models.Index(fields=['brand', 'read_at'], name='cited_page_brand_read'),
        ),
        migrations.AddConstraint(
            model_name='citedpage',
            constraint=models.UniqueConstraint(fields=('brand', 'digest'), name='cited_page_once_per_brand'),
        ),
        migrations.AddConstraint(
            model_name='dailyscore',
            constraint=models.UniqueConstraint(fields=('brand', 'date', 'competitor'), name='daily_score_once', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='dailyscore',
            constraint=models.CheckConstraint(condition=models.Q(('score', None), ('score__range', (0, 100)), _connector='OR'), name='daily_score_is_a_percentage'),
        ),
        migrations.AddConstraint(
            model_name='brandengine',
            constraint=models.UniqueConstraint(fields=('brand', 'engine'), name='brand_engine_once'),
        ),
        migrations.AddIndex(
            model_name='mention',
            index=models.Index(fields=['competitor', 'answer'], name='mention_competitor'),
        ),
        migrations.AddConstraint(
            model_name='mention',
            constraint=models.UniqueConstraint(fields=('answer', 'start', 'competitor'), name='mention_once_per_place', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='mention',
            constraint=models.CheckConstraint(condition=models.Q(('end__gt', models.F('start'))), name='mention_not_empty'),
        ),
        migrations.AddIndex(
            model_name='page',
            index=django.contrib.postgres.indexes.GinIndex(fields=['words'], name='page_words'),
        ),
        migrations.AddConstraint(
            model_name='page',
            constraint=models.UniqueConstraint(fields=('brand', 'url'), name='page_once_per_brand'),
        ),
        migrations.AddConstraint(
            model_name='promptversion',
            constraint=models.UniqueConstraint(fields=('prompt', 'number'), name='prompt_version_number_once'),
        ),
        migrations.AddIndex(
            model_name='cell',
            index=models.Index(fields=['brand', 'day'], name='cell_brand_day'),
        ),
        migrations.AddConstraint(
            model_name='cell',
            constraint=models.UniqueConstraint(fields=('run', 'engine', 'surface', 'version', 'competitor'), name='cell_once', nulls_distinct=False),
        ),
        migrations.AddIndex(
            model_name='answer',
            index=models.Index(fields=['prompt', '-answered_at'], name='answer_prompt_newest'),
        ),
        migrations.AddIndex(
            model_name='answer',
            index=models.Index(condition=models.Q(('state', 'answered')), fields=['brand', 'names_version'], name='answer_brand_names_version'),
        ),
        migrations.AddIndex(
            model_name='answer',
            index=models.Index(fields=['brand', 'day'], name='answer_brand_day'),
        ),
        migrations.AddIndex(
            model_name='answer',
            index=models.Index(condition=models.Q(('state', 'pending')), fields=['run', 'id'], name='answer_pending'),
        ),
        migrations.AddIndex(
            model_name='answer',
            index=django.contrib.postgres.indexes.GinIndex(fields=['words'], name='answer_words'),
        ),
        migrations.AddConstraint(
            model_name='answer',
            constraint=models.UniqueConstraint(fields=('run', 'version', 'engine', 'surface', 'sample'), name='answer_once_per_sample'),
        ),
        migrations.AddConstraint(
            model_name='answer',
            constraint=models.UniqueConstraint(fields=('run', 'position'), name='answer_position_once_per_run'),
        ),
        migrations.AddConstraint(
            model_name='answer',
            constraint=models.CheckConstraint(condition=models.Q(('sample__gte', 1)), name='answer_sample_from_one'),
        ),
        migrations.AddConstraint(
            model_name='recommendation',
            constraint=models.UniqueConstraint(fields=('brand', 'kind', 'subject'), name='recommendation_once_per_subject'),
        ),
        migrations.AddConstraint(
            model_name='recommendation',
            constraint=models.CheckConstraint(condition=models.Q(('priority__lte', 100)), name='recommendation_priority_to_100'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.UniqueConstraint(fields=('brand', 'digest'), name='review_once_per_brand'),
        ),
        migrations.AddConstraint(
            model_name='runengine',
            constraint=models.UniqueConstraint(fields=('run', 'engine', 'surface'), name='run_engine_once'),
        ),
        migrations.AddConstraint(
            model_name='topic',
            constraint=models.UniqueConstraint(models.F('brand'), django.db.models.functions.text.Lower('name'), name='topic_once_per_brand'),
        ),
        migrations.AddConstraint(
            model_name='prompt',
            constraint=models.UniqueConstraint(condition=models.Q(('archived_at', None)), fields=('brand', 'digest'), name='prompt_active_once_per_brand'),
        ),
        migrations.AddConstraint(
            model_name='prompt',
            constraint=models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='prompt_not_empty'),
        ),
        migrations.AddConstraint(
            model_name='prompt',
            constraint=models.CheckConstraint(condition=models.Q(('topic__isnull', False), ('purpose', 'comparison'), _connector='OR'), name='prompt_tracked_has_topic'),
        ),
        migrations.AddConstraint(
            model_name='evidenceitem',
            constraint=models.UniqueConstraint(fields=('brand', 'kind', 'position'), name='evidence_position_once'),
        ),
        migrations.AddConstraint(
            model_name='diagnosis',
            constraint=models.UniqueConstraint(fields=('brand', 'topic'), name='diagnosis_once_per_topic', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='untrackedname',
            constraint=models.UniqueConstraint(fields=('answer', 'start'), name='untracked_name_once_per_place'),
        ),
        migrations.RunPython(add_local_search, migrations.RunPython.noop),
    ]
