import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("visibility", "0012_citation_spans_and_score_details"),
    ]

    operations = [
        migrations.CreateModel(
            name="DomainClass",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "domain",
                    models.CharField(help_text="host name without scheme, lower case", max_length=253, unique=True),
                ),
                (
                    "cls",
                    models.CharField(
                        choices=[
                            ("review_site", "review_site"),
                            ("community", "community"),
                            ("news", "news"),
                            ("reference", "reference"),
                            ("video", "video"),
                            ("shop", "shop"),
                            ("other", "other"),
                        ],
                        max_length=12,
                        verbose_name="class",
                    ),
                ),
                ("changed_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                "verbose_name": "class of a domain",
                "verbose_name_plural": "classes of domains",
                "ordering": ["domain"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "cls__in",
                                ["review_site", "community", "news", "reference", "video", "shop", "other"],
                            )
                        ),
                        name="domain_class_assignable",
                    )
                ],
            },
        ),
    ]
