"""torch.package, whose archives hold programs as text."""

from ._absent import names

__getattr__ = names(__name__, """
    PackageExporter PackageImporter EmptyMatchError PackagingError Importer ObjMismatchError ObjNotFoundError
    OrderedImporter sys_importer Directory GlobGroup is_from_package""",
                    "assay reads TorchScript archives and saved states: save one of those")
