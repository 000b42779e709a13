@_spi(Tools) import AtRestCrypto
import Crypto
import Foundation

/// The contents of a folder when it was stamped: every entry of its tree, under one stamp.
///
/// ```swift
/// let manifest = try stamper.manifest(of: folder)
/// try manifest.encoded.write(to: file)
/// let again = try FolderManifest(decoding: Data(contentsOf: file))
/// let difference = try verifier.compare(folder, with: again)
/// ```
///
/// A decoded manifest is well-formed, but not verified; verify it with
/// ``FileStampVerifier/check(_:)`` or `FileStampVerifier.compare(_:with:leavingOut:progress:)`. Two
/// manifests of the same tree contain the same entries, encoded in the same bytes.
/// `docs/Formats.md` specifies the bytes.
package struct FolderManifest: Sendable {
  /// The kind of an entry.
  package enum Kind: UInt8, Sendable, CaseIterable {
    /// A regular file.
    case file = 1
    /// A folder. Its contents have entries of their own.
    case folder = 2
    /// A symbolic link, whatever its target.
    case link = 3
    /// A named pipe.
    case pipe = 4
    /// A socket.
    case socket = 5
    /// A character device.
    case characterDevice = 6
    /// A block device.
    case blockDevice = 7
  }

  /// One entry of the tree.
  package struct Entry: Hashable, Sendable {
    /// The path of the entry.
    package let path: RelativePath
    /// The kind of the entry. Links are not followed.
    package let kind: Kind
    /// The permission bits with set-user-id, set-group-id and sticky, 0 to 0o7777; 0 for a link.
    package let permissions: UInt16
    /// The size of a file in bytes; 0 for other kinds.
    package let size: UInt64
    /// The SHA-256 of a file's contents; empty for other kinds.
    package internal(set) var digest: Data
    /// The target of a link, as stored in the link; empty for other kinds.
    package let target: [UInt8]
    /// The system's number of a device; 0 for other kinds.
    package let device: UInt64
  }

  package static let magic = Array("AtRestMF".utf8)
  /// The largest manifest that is read, in bytes.
  package static let mostBytes: UInt64 = 1 << 31
  static let version: UInt16 = 1
  /// The largest number of entries in a manifest.
  package static let mostEntries = 1 << 24

  /// The entries in ascending order of their paths' bytes.
  package let entries: [Entry]
  /// The stamp over all entries.
  package let stamp: FileStamp
  /// The digest of the bytes that are stamped.
  let content: ContentDigest
  /// The encoded manifest: about 50 bytes per entry, plus the paths.
  package let encoded: Data

  init(stamping entries: [Entry], _ stamp: (ContentDigest) throws -> FileStamp) throws {
    let list = Self.encode(entries)
    content = Self.digest(of: list)
    self.entries = entries
    self.stamp = try stamp(content)
    encoded = list + AppendedStamp.trailer(self.stamp)
  }

  /// Decodes a manifest. The manifest is not verified.
  ///
  /// - Parameter name: A name for error messages.
  /// - Throws: ``AtRestError/Code/notStamped`` if the bytes are not a manifest;
  ///   ``AtRestError/Code/unsupportedVersion`` for a later version; ``AtRestError/Code/damaged`` if
  ///   the manifest is cut off, or an entry is out of order, occurs twice or has a path outside the
  ///   folder.
  package init(decoding bytes: Data, name: String = "The manifest") throws {
    guard bytes.starts(with: Self.magic) else {
      throw AtRestError(
        .notStamped, "\(name) is not a manifest.",
        remedy: "Pass the file that was written when the folder was stamped.")
    }
    let found = try AppendedStamp.find(count: UInt64(bytes.count), name: name, form: .manifest) {
      bytes.dropFirst(Int($0)).prefix($1)
    }
    guard let found else {
      throw AtRestError.damaged("\(name) does not end with its stamp: it was cut off or modified.")
    }
    let list = bytes.prefix(Int(found.contentSize))
    entries = try list.withUnsafeBytes { try Self.decode($0, name: name) }
    content = Self.digest(of: list)
    stamp = found.stamp
    encoded = bytes
  }

  private static func digest(of list: Data) -> ContentDigest {
    ContentDigest(size: UInt64(list.count), digest: Data(SHA256.hash(data: list)))
  }

  // MARK: Layout

  private static func encode(_ entries: [Entry]) -> Data {
    var writer = ByteWriter(capacity: 32 + entries.count * 80)
    writer.fixed(magic)
    writer.integer(version)
    writer.integer(UInt32(entries.count))
    for entry in entries {
      writer.integer(entry.kind.rawValue)
      writer.integer(entry.permissions)
      writer.counted(entry.path.bytes)
      switch entry.kind {
      case .file:
        writer.integer(entry.size)
        writer.fixed(entry.digest)
      case .link: writer.counted(entry.target)
      case .characterDevice, .blockDevice: writer.integer(entry.device)
      case .folder, .pipe, .socket: break
      }
    }
    return writer.data
  }

  private static func decode(_ bytes: UnsafeRawBufferPointer, name: String) throws -> [Entry] {
    var reader = ByteReader(bytes, name: name)
    _ = try reader.fixed(magic.count)
    let version = try reader.integer(UInt16.self)
    guard version == Self.version else {
      throw AtRestError.unsupported(name, version: version, known: Self.version)
    }
    let count = Int(try reader.integer(UInt32.self))
    // The smallest entry has a kind, permissions, a path length, and one byte of path.
    guard count <= mostEntries, count <= reader.remaining / 8 else {
      throw AtRestError.damaged("\(name) claims \(count) entries, more than it can contain.")
    }
    var entries: [Entry] = []
    entries.reserveCapacity(count)
    for index in 0..<count {
      let entry = try decodeEntry(&reader, "Entry \(index) of \(name)")
      if let last = entries.last, last.path >= entry.path {
        throw AtRestError.damaged("Entry \(index) of \(name) is out of order or occurs twice.")
      }
      entries.append(entry)
    }
    try reader.finish()
    return entries
  }

  private static func decodeEntry(
    _ reader: inout ByteReader, _ name: @autoclosure () -> String
  ) throws -> Entry {
    guard let kind = Kind(rawValue: try reader.integer()) else {
      throw AtRestError.damaged("\(name()) has an unknown kind.")
    }
    let permissions = try reader.integer(UInt16.self)
    guard permissions <= (kind == .link ? 0 : 0o7777) else {
      throw AtRestError.damaged("\(name()) has invalid permissions.")
    }
    let bytes = Array(try reader.counted(limit: RelativePath.longest))
    guard let path = RelativePath(validating: bytes) else {
      throw AtRestError.damaged("\(name()) has an invalid path, or one outside the folder.")
    }
    var size: UInt64 = 0
    var digest = Data()
    var target: [UInt8] = []
    var device: UInt64 = 0
    switch kind {
    case .file:
      size = try reader.integer()
      digest = Data(try reader.fixed(ContentDigest.count))
    case .link: target = Array(try reader.counted(limit: RelativePath.longest))
    case .characterDevice, .blockDevice: device = try reader.integer()
    case .folder, .pipe, .socket: break
    }
    return Entry(
      path: path, kind: kind, permissions: permissions, size: size, digest: digest,
      target: target, device: device)
  }
}
