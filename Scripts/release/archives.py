#!/usr/bin/env python3
"""Packs the programs: an archive for any Linux, one of the auditor for the GitHub action, an artifact bundle and a plugin
for SwiftPM, and an image of the auditor for containers. The same files give the same bytes.

Usage: archives.py FOLDER VERSION TARGET, where FOLDER/NAME is what `make install` made of the Debian package NAME."""
import datetime, gzip, hashlib, io, json, lzma, os, pathlib, subprocess, sys, tarfile, zipfile

stage, version, target = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
root = pathlib.Path(__file__).resolve().parents[2]
time = int(os.environ["SOURCE_DATE_EPOCH"])
auditor = stage / "atrest-audit/usr/bin/atrest-audit"


def tar(files):
    """The bytes of an archive of files: pairs of a name in it, and a path or bytes."""
    result = io.BytesIO()
    with tarfile.open(fileobj=result, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, source in sorted(files, key=lambda file: file[0]):
            info = tarfile.TarInfo(name)
            info.mtime = time
            if isinstance(source, bytes):
                content, info.mode = source, 0o644
            elif source.is_symlink():
                content, info.type, info.linkname, info.mode = b"", tarfile.SYMTYPE, os.readlink(source), 0o777
            else:
                content, info.mode = source.read_bytes(), 0o755 if os.access(source, os.X_OK) else 0o644
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return result.getvalue()


def in_folder(folder):
    """The files in a folder, with their paths in it."""
    return [(str(path.relative_to(folder)), path) for path in folder.rglob("*") if path.is_symlink() or path.is_file()]


def compressed(content):
    return gzip.compress(content, compresslevel=6, mtime=time)


linked = ["LICENSE", "README.md", "SECURITY.md", "CHANGELOG.md", "CONTRIBUTING.md", "RELEASING.md", "docs", "Examples"]


def write_archive():
    name = f"atrest-{version}-x86_64-linux"
    files = {path: source for part in sorted(stage.iterdir()) for path, source in in_folder(part / "usr")}
    # With all that README.md and the pages link to.
    pages = subprocess.check_output(["git", "-C", root, "ls-files", *linked], text=True)
    files |= {page: root / page for page in pages.splitlines()}
    content = tar([(f"{name}/{path}", source) for path, source in files.items()])
    # The programs have much in common, so a window that spans them all halves the archive.
    window = {"id": lzma.FILTER_LZMA2, "preset": 2, "dict_size": 128 << 20}
    filters = [{"id": lzma.FILTER_X86}, window]
    (target / f"{name}.tar.xz").write_bytes(lzma.compress(content, format=lzma.FORMAT_XZ, filters=filters))
    # Audit/action.yml downloads this file.
    (target / "atrest-audit-Linux-X64.tar.gz").write_bytes(compressed(tar([("atrest-audit", auditor)])))


def write_bundle():
    """The bundle and the plugin that uses it."""
    program = f"atrest-audit-{version}-linux/atrest-audit"
    variant = {"path": program, "supportedTriples": ["x86_64-unknown-linux-gnu"]}
    artifact = {"type": "executable", "version": version, "variants": [variant]}
    info = {"schemaVersion": "1.0", "artifacts": {"atrest-audit": artifact}}
    path = target / "atrest-audit.artifactbundle.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content, mode in [
            ("info.json", json.dumps(info, indent=2).encode(), 0o644),
            (program, auditor.read_bytes(), 0o755),
        ]:
            # Zip files know no time before 1980 and no zone.
            entry = zipfile.ZipInfo(f"atrest-audit.artifactbundle/{name}", (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    plugin = root / "Audit/Plugin"
    place = f'path: "{path.name}"'
    if address := os.environ.get("ATREST_RELEASE_URL"):
        checksum = hashlib.sha256(path.read_bytes()).hexdigest()
        place = f'\n      url: "{address}/{path.name}",\n      checksum: "{checksum}"'
    manifest = (plugin / "Package.swift.in").read_text().replace("@PLACE@", place)
    files = [("Package.swift", manifest.encode())]
    files += [(name, source) for name, source in in_folder(plugin) if not name.endswith(".in")]
    name = f"atrest-audit-plugin-{version}"
    content = tar([(f"{name}/{path}", source) for path, source in files])
    (target / f"{name}.tar.gz").write_bytes(compressed(content))


def write_image():
    """An OCI image layout whose image has nothing but the auditor, which is a static program."""
    blobs = {}

    def blob(kind, content):
        digest = hashlib.sha256(content).hexdigest()
        blobs[f"blobs/sha256/{digest}"] = content
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(content)}

    def encoded(value):
        return json.dumps(value, sort_keys=True).encode()

    files = tar([("usr/bin/atrest-audit", auditor)])
    layer = blob("layer.v1.tar+gzip", compressed(files))
    created = datetime.datetime.fromtimestamp(time, datetime.timezone.utc)
    settings = {
        "created": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "architecture": "amd64",
        "os": "linux",
        "config": {"Entrypoint": ["/usr/bin/atrest-audit"], "WorkingDir": "/work", "User": "65534:65534"},
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(files).hexdigest()]},
    }
    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": blob("config.v1+json", encoded(settings)),
        "layers": [layer],
    }
    # The name under which `podman load` keeps it.
    names = {"org.opencontainers.image.ref.name": f"atrest-audit:{version}"}
    entry = blob("manifest.v1+json", encoded(manifest)) | {"annotations": names}
    blobs["index.json"] = encoded({"schemaVersion": 2, "manifests": [entry]})
    blobs["oci-layout"] = encoded({"imageLayoutVersion": "1.0.0"})
    (target / f"atrest-audit-{version}-oci.tar").write_bytes(tar(list(blobs.items())))


write_archive()
write_bundle()
write_image()
