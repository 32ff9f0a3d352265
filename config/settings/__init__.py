"""Settings: `base` is shared; `local` is the embedded service; `production` refuses unsafe defaults; `test`."""
