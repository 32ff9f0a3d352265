#!/usr/bin/env bash
# Builds the image with buildah, as root and without a registry: the base is made of Debian's packages by mmdebstrap.
# With a registry any builder does: docker build -f deploy/Containerfile -t visibility .
set -euo pipefail
cd "$(dirname "$0")/.."
name="${1:?the name of the image, such as visibility:0.2.0}"
base="${BASE:-localhost/debian:bookworm}"
for program in buildah mmdebstrap; do
  command -v "$program" >/dev/null || { echo "$program is missing: apt-get install buildah mmdebstrap" >&2; exit 1; }
done
if [ -z "${BASE:-}" ] && ! buildah inspect --type image "$base" >/dev/null 2>&1; then
  echo "Making a Debian base without a registry …"
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  mmdebstrap --quiet --variant=apt --include=ca-certificates bookworm "$folder/base.tar"
  printf 'FROM scratch\nADD base.tar /\n' >"$folder/Containerfile"
  buildah build --quiet --isolation chroot -t "$base" "$folder" >/dev/null
fi
# Authorities of this machine, for builds behind a company's proxy.
authorities=/etc/ssl/certs/ca-certificates.crt
mounted=()
if [ -e "$authorities" ]; then
  mounted=(--volume "$authorities:/run/authorities.crt:ro" --build-arg PIP_CERT=/run/authorities.crt)
fi
buildah build --isolation chroot --format docker --layers "${mounted[@]}" \
  --build-arg BASE="$base" --build-arg VERSION="${name##*:}" \
  --build-arg REVISION="$(git rev-parse --short HEAD 2>/dev/null || echo unknown)" \
  -t "$name" -f deploy/Containerfile .
buildah images --format '{{.Name}}:{{.Tag}} {{.Size}}' "$name"
