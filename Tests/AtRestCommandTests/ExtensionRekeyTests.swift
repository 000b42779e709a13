import Foundation
import Testing

/// A rekey replaces a database while a program that is not AtRest's opens it with the extension.
@Suite(.enabled(if: SystemPython.path != nil)) struct ExtensionRekeyTests {
  /// Opens the database again and again. Each time another one of the calls that open its file, which SQLite's VFS
  /// makes, finds that it was replaced just before, or just after. Then it is replaced before the first statement,
  /// and before the second one. Prints what an opening without a rekey gave, the number of these calls, and what each
  /// of the others gave.
  private static let program = """
    import ctypes, json, sqlite3, subprocess, sys
    extension, uri, file, rekey = sys.argv[1:4] + [json.loads(sys.argv[4])]
    loader = sqlite3.connect(":memory:")
    loader.enable_load_extension(True)
    loader.load_extension(extension)
    library = ctypes.CDLL("libsqlite3.so.0")
    Open = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int,
      ctypes.c_void_p)
    class VFS(ctypes.Structure):
        _fields_ = [("version", ctypes.c_int), ("file_size", ctypes.c_int), ("path_size", ctypes.c_int),
          ("next", ctypes.c_void_p), ("name", ctypes.c_char_p), ("data", ctypes.c_void_p), ("open", Open)]
    library.sqlite3_vfs_find.restype = ctypes.POINTER(VFS)
    system = library.sqlite3_vfs_find(None).contents
    calls, point, after, original = 0, 0, False, Open(ctypes.cast(system.open, ctypes.c_void_p).value)
    def replace():
        subprocess.run(rekey, check=True, capture_output=True)
    def open_file(vfs, name, handle, flags, out):
        global calls
        counts = bool(name) and ctypes.string_at(name) == file.encode()
        calls += counts
        acts = counts and calls == point
        if acts and not after: replace()
        code = original(vfs, name, handle, flags, out)
        if acts and after: replace()
        return code
    system.open = Open(open_file)
    def read(*steps):
        global calls
        calls = 0
        try:
            connection = sqlite3.connect(uri, uri=True)
            for step in steps: step(connection)
            return connection.execute("SELECT a FROM t").fetchone()[0]
        except sqlite3.Error as error:
            return str(error)
    print(read())
    count = calls
    print(count)
    for after in [False, True]:
        for point in range(1, count + 1): print(read())
    point = 0
    print(read(lambda connection: replace()))
    print(read(lambda connection: connection.execute("SELECT a FROM t").fetchone(), lambda connection: replace()))
    """

  @Test(arguments: [false, true])
  func everyOpeningSucceeds(hasPlaintextHeader: Bool) throws {
    let run = try CommandRun.withStore()
    let file = run.folder.appendingPathComponent("notes.db").path
    // The salt of a plaintext header does not tell one file from another.
    let options =
      ["--item", "notes"] + (hasPlaintextHeader ? ["--plaintext-header"] : [])
    #expect(
      try run.run(
        ["database", "shell", "--new"] + options + [
          file, "CREATE TABLE t AS SELECT 'walrus' AS a",
        ],
        input: nil
      ).status == 0)
    let rekey = [try CommandRun.binary().path, "database", "rekey"] + options + [file]
    let result = try run.execute(
      try #require(SystemPython.path),
      [
        "-c", Self.program, try CommandRun.binary("libatrest_vfs.so").path,
        "file:\(file)?vfs=atrest&item=notes&plaintext-header=\(hasPlaintextHeader ? 1 : 0)", file,
        String(decoding: try JSONEncoder().encode(rekey), as: UTF8.self),
      ], with: ["ATREST_APPLICATION_IDENTIFIER": "atrest"])
    #expect(result.status == 0, "\(result.notes)")
    let lines = result.text.split(separator: "\n")
    #expect(lines.first == "walrus")
    let count = try #require(lines.dropFirst().first.flatMap { Int($0) })
    #expect(count > 1)
    let others = lines.dropFirst(2)
    #expect(others.dropLast() == Array(repeating: "walrus", count: 2 * count + 1)[...])
    // Control: a connection that has read the former file does not go on with the new one.
    #expect(others.last == "attempt to write a readonly database")
  }
}
