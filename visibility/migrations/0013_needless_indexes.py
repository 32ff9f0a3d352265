import django.db.models.deletion
import django.db.models.functions.comparison
from django.db import migrations, models

# Each is the beginning of another index of its table. A migration by Django would check all foreign keys again, and
# build the unique index again, for as long as the tables are large.
NEEDLESS = {
    'visibility_answer_brand_id_1ef700bc': ('visibility_answer', 'brand_id'),
    'visibility_answer_prompt_id_2a4050f7': ('visibility_answer', 'prompt_id'),
    'visibility_answer_run_id_4ec6f585': ('visibility_answer', 'run_id'),
    'visibility_cell_brand_id_5465758f': ('visibility_cell', 'brand_id'),
    'visibility_cell_run_id_385558b2': ('visibility_cell', 'run_id'),
    'visibility_citation_answer_id_855d0dce': ('visibility_citation', 'answer_id'),
    'visibility_citation_brand_id_a715b19f': ('visibility_citation', 'brand_id'),
    'visibility_dailyscore_brand_id_34847296': ('visibility_dailyscore', 'brand_id'),
    'visibility_mention_answer_id_c77b9208': ('visibility_mention', 'answer_id'),
    'visibility_mention_competitor_id_460a42a1': ('visibility_mention', 'competitor_id'),
    'visibility_run_brand_id_a5697598': ('visibility_run', 'brand_id'),
    'visibility_untrackedname_answer_id_c513e95b': ('visibility_untrackedname', 'answer_id'),
}


class Migration(migrations.Migration):

    dependencies = [
        ('brands', '0006_indexes_of_the_sweep'),
        ('visibility', '0012_markets_of_stored_answers'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                *(
                    migrations.RunSQL(f'DROP INDEX IF EXISTS {name}', f'CREATE INDEX {name} ON {table} ({column})')
                    for name, (table, column) in NEEDLESS.items()
                ),
                migrations.RunSQL(
                    'DROP INDEX IF EXISTS visibility_answer_import_key_99e051cb_like',
                    'CREATE INDEX visibility_answer_import_key_99e051cb_like'
                    ' ON visibility_answer (import_key varchar_pattern_ops)',
                ),
                migrations.RunSQL(
                    'ALTER TABLE visibility_answer'
                    ' RENAME CONSTRAINT visibility_answer_import_key_key TO answer_import_key_once',
                    'ALTER TABLE visibility_answer'
                    ' RENAME CONSTRAINT answer_import_key_once TO visibility_answer_import_key_key',
                ),
            ],
            state_operations=[
                migrations.AlterField(
                    model_name='answer',
                    name='brand',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='brands.brand'),
                ),
                migrations.AlterField(
                    model_name='answer',
                    name='import_key',
                    field=models.CharField(max_length=64, null=True),
                ),
                migrations.AlterField(
                    model_name='answer',
                    name='prompt',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='visibility.prompt'),
                ),
                migrations.AlterField(
                    model_name='answer',
                    name='run',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='visibility.run'),
                ),
                migrations.AlterField(
                    model_name='cell',
                    name='brand',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='cells', to='brands.brand'),
                ),
                migrations.AlterField(
                    model_name='cell',
                    name='run',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='cells', to='visibility.run'),
                ),
                migrations.AlterField(
                    model_name='citation',
                    name='answer',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='citations', to='visibility.answer'),
                ),
                migrations.AlterField(
                    model_name='citation',
                    name='brand',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='citations', to='brands.brand'),
                ),
                migrations.AlterField(
                    model_name='dailyscore',
                    name='brand',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='daily_scores', to='brands.brand'),
                ),
                migrations.AlterField(
                    model_name='mention',
                    name='answer',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='mentions', to='visibility.answer'),
                ),
                migrations.AlterField(
                    model_name='mention',
                    name='competitor',
                    field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='mentions', to='brands.competitor'),
                ),
                migrations.AlterField(
                    model_name='run',
                    name='brand',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='brands.brand'),
                ),
                migrations.AlterField(
                    model_name='untrackedname',
                    name='answer',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='untracked_names', to='visibility.answer'),
                ),
                migrations.AddConstraint(
                    model_name='answer',
                    constraint=models.UniqueConstraint(fields=('import_key',), name='answer_import_key_once'),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(models.F('brand'), models.F('kind'), models.OrderBy(django.db.models.functions.comparison.Coalesce('started_at', 'created_at'), descending=True), name='run_brand_kind_asked'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(condition=models.Q(('status__in', ['queued', 'running'])), fields=['id'], name='run_active'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(condition=models.Q(('settled_at__isnull', True), ('status', 'cancelled')), fields=['id'], name='run_unsettled'),
        ),
    ]
