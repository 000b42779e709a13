import AtRestDatabase

/// The entry point of the extension `atrest_vfs`, which SQLite calls by this name: it registers the VFS, and
/// stays loaded for as long as the process runs.
@_cdecl("sqlite3_atrestvfs_init")
public func loadExtension(
  _ connection: UnsafeMutableRawPointer?, _ message: UnsafeMutableRawPointer?,
  _ functions: UnsafeRawPointer?
) -> Int32 {
  let code = URIKeyProvider.install()
  let isLoadedPermanently: Int32 = 256
  return code == 0 ? isLoadedPermanently : code
}
