import CAtRestSystem
import Foundation

/// Paths as the system has them: bytes, which need not be text.
///
/// AtRest keeps a path in a `String`. A byte that is not part of valid UTF-8 is the character U+10FF00
/// plus the byte, U+10FF80 to U+10FFFF. A name that contains these characters itself, in UTF-8, has each
/// of their bytes replaced in the same way. Every name therefore has exactly one form, and becomes the
/// same bytes again when it is passed to a system call.
///
/// This is the only place that knows the form: every system call in AtRest with a path as text goes
/// through these functions, and every path that the system returns through ``text(_:)``.
package enum SystemPath {
  private static let first: UInt32 = 0x10_ff80
  private static let last: UInt32 = 0x10_ffff
  /// The first three bytes of the characters of this form in UTF-8 are F4 8F BE or F4 8F BF.
  private static let leader: [UInt8] = [0xf4, 0x8f]

  /// Returns the text of a path or name.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self), !isEscaped(text) { return text }
    var scalars = String.UnicodeScalarView()
    var rest = Array(bytes)[...]
    while let byte = rest.first {
      let (scalar, count) = firstScalar(rest) ?? (escape(byte), 1)
      scalars.append(scalar)
      rest = rest.dropFirst(count)
    }
    return String(scalars)
  }

  /// Returns the text of a path that the system returned.
  package static func text(_ path: UnsafePointer<CChar>) -> String {
    text(UnsafeRawBufferPointer(start: path, count: strlen(path)))
  }

  /// Returns the bytes of a path or name.
  package static func bytes(_ text: String) -> [UInt8] {
    guard isEscaped(text) else { return Array(text.utf8) }
    return text.unicodeScalars.flatMap { scalar -> [UInt8] in
      byte(scalar).map { [$0] } ?? Array(String(scalar).utf8)
    }
  }

  /// Returns the byte for which a character stands in this form, or nil for any other character.
  package static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
    (first...last).contains(scalar.value) ? UInt8(truncatingIfNeeded: scalar.value) : nil
  }

  /// Calls a closure with a path as the system takes it.
  package static func with<Result>(
    _ text: String, _ body: (UnsafePointer<CChar>) throws -> Result
  ) rethrows -> Result {
    guard isEscaped(text) else { return try text.withCString(body) }
    let bytes = bytes(text).map(CChar.init(bitPattern:)) + [0]
    return try bytes.withUnsafeBufferPointer { try body($0.baseAddress!) }
  }

  /// Returns the URL of a path as the system resolves it, which is absolute and without `.` and `..`.
  ///
  /// Foundation resolves a relative path by its letters, so that `link/..` is the folder of the link and not that of
  /// its target. It also cannot resolve one where the name of the present folder is not UTF-8.
  package static func url(_ path: String) -> URL { URL(fileURLWithPath: absolute(path)) }

  private static func absolute(_ path: String) -> String {
    var whole = path
    if !path.hasPrefix("/") {
      guard let present = getcwd(nil, 0) else { return path }
      defer { free(present) }
      whole = "\(text(present))/\(path)"
    }
    let slash = UInt8(ascii: "/")
    let parts = whole.utf8.split(separator: slash).map { String(decoding: $0, as: UTF8.self) }
      .filter { $0 != "." }
    func joined(_ parts: some Sequence<String>) -> String { "/" + parts.joined(separator: "/") }
    guard let last = parts.lastIndex(of: "..") else { return joined(parts) }
    // What follows need not exist.
    guard let folder = real(joined(parts[...last])) else { return joined(parts) }
    let rest = parts[(last + 1)...]
    return rest.isEmpty ? folder : (folder == "/" ? "" : folder) + joined(rest)
  }

  /// Returns the last part of a path. A slash is a byte, even before a character that combines with it.
  package static func name(of path: String) -> String {
    let bytes = path.utf8
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(decoding: bytes[bytes.index(after: slash)...], as: UTF8.self)
  }

  /// Returns the folder of a path, up to its last slash.
  ///
  /// Foundation's own call ends the process for names of one character.
  package static func folder(of path: String) -> String {
    let bytes = path.utf8
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == bytes.startIndex ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
  }

  /// True if a path is that of a folder or of something in it.
  package static func isPath(_ path: String, in folder: String) -> Bool {
    path.utf8.elementsEqual(folder.utf8)
      || path.utf8.starts(with: (folder == "/" ? folder : folder + "/").utf8)
  }

  /// The arguments of this process, with the program's name first. `CommandLine.arguments` has lost the
  /// bytes that are not UTF-8.
  package static var arguments: [String] {
    (0..<Int(CommandLine.argc)).compactMap { index in
      CommandLine.unsafeArgv[index].map { text($0) }
    }
  }

  /// Returns the value of an environment variable that is a path.
  package static func environment(_ name: String) -> String? { getenv(name).map { text($0) } }

  /// The environment of this process, whose values need not be UTF-8 either.
  package static var environment: [String: String] {
    var variables: [String: String] = [:]
    var next = atrest_environment()
    while let variable = next.pointee {
      let halves = UnsafeRawBufferPointer(start: variable, count: strlen(variable)).split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      if halves.count == 2 { variables[text(halves[0])] = text(halves[1]) }
      next += 1
    }
    return variables
  }

  // MARK: Calls

  package static func open(_ path: String, _ flags: Int32, _ permissions: mode_t = 0) -> Int32 {
    with(path) { Foundation.open($0, flags, permissions) }
  }

  /// Returns the status of the file at a path, or nil with `errno` set.
  package static func status(_ path: String, followingLinks: Bool = true) -> stat? {
    var status = stat()
    let code = with(path) { followingLinks ? stat($0, &status) : lstat($0, &status) }
    return code == 0 ? status : nil
  }

  /// Returns a path without links, or nil with `errno` set.
  package static func real(_ path: String) -> String? {
    guard let real = with(path, { realpath($0, nil) }) else { return nil }
    defer { free(real) }
    return text(real)
  }

  /// Returns the target of a link, or nil with `errno` set.
  package static func target(ofLink path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = with(path) { readlink($0, &buffer, buffer.count) }
    return count < 0 ? nil : text(buffer[0..<count].map(UInt8.init(bitPattern:)))
  }

  /// Creates a folder (0700) and the missing folders above it.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted``; ``AtRestError/Code/system``.
  package static func makeFolders(_ path: String) throws {
    if with(path, { mkdir($0, 0o700) }) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, case let parent = folder(of: path), parent != path else {
      throw SystemCall.error("create the folder", path)
    }
    try makeFolders(parent)
    guard with(path, { mkdir($0, 0o700) }) == 0 || errno == EEXIST else {
      throw SystemCall.error("create the folder", path)
    }
  }

  @discardableResult
  package static func remove(_ path: String) -> Bool { with(path) { unlink($0) } == 0 }

  /// Renames a file, and replaces any file that has the new name. Returns false with `errno` set if that
  /// fails.
  package static func rename(_ path: String, to other: String) -> Bool {
    with(path) { old in with(other) { Foundation.rename(old, $0) } } == 0
  }

  /// Gives a file a second name, which must not be taken. Returns false with `errno` set if that fails.
  package static func link(_ path: String, as other: String) -> Bool {
    with(path) { old in with(other) { Foundation.link(old, $0) } } == 0
  }

  // MARK: The form

  /// True if the text may contain a character of the form.
  private static func isEscaped(_ text: String) -> Bool {
    text.utf8.contains(leader[0]) && text.unicodeScalars.contains { byte($0) != nil }
  }

  private static func escape(_ byte: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(first - 0x80 + UInt32(byte)) ?? "\u{fffd}"
  }

  /// Returns the first character of UTF-8 and its length, or nil if the first byte has to be escaped.
  private static func firstScalar(_ bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
    guard let byte = bytes.first else { return nil }
    let count = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    guard
      let scalar = String(validating: bytes.prefix(count), as: UTF8.self)?.unicodeScalars.first,
      self.byte(scalar) == nil, String(scalar).utf8.count == count || bytes.count < count
    else { return nil }
    return (scalar, String(scalar).utf8.count)
  }
}
