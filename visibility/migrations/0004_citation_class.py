from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("visibility", "0003_page_full_text"),
    ]

    operations = [
        migrations.AddField(
            model_name="citation",
            name="cls",
            field=models.CharField(
                choices=[
                    ("own", "own"),
                    ("competitor", "competitor"),
                    ("review_site", "review_site"),
                    ("community", "community"),
                    ("news", "news"),
                    ("reference", "reference"),
                    ("video", "video"),
                    ("shop", "shop"),
                    ("other", "other"),
                ],
                default="other",
                help_text="what kind of site the source is",
                max_length=12,
                verbose_name="class",
            ),
        ),
    ]
