import AtRestCrypto
import Crypto
import Foundation

/// What lay in a folder when it was sealed: every entry of the tree, under one seal.
///
/// ```swift
/// let manifest = try sealer.manifest(of: folder)
/// try manifest.encoded.write(to: file)
/// let again = try FolderManifest(decoding: Data(contentsOf: file))
/// let difference = try verifier.compare(folder, with: again)
/// ```
///
/// A value that was decoded is well-formed, and no more: ``FileSealVerifier/check(_:)`` and
/// ``FileSealVerifier/compare(_:with:leavingOut:progress:)`` say whether it is true. Two manifests of
/// the same tree have the same entries in the same bytes. The bytes are in `docs/Formats.md`.
public struct FolderManifest: Sendable {
  /// What an entry is.
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// A regular file.
    case file = 1
    /// A folder; what lies in it has entries of its own.
    case folder = 2
    /// A symbolic link, whatever it leads to.
    case link = 3
    /// A named pipe.
    case pipe = 4
    /// A socket.
    case socket = 5
    /// A device that is read as a stream.
    case characterDevice = 6
    /// A device that is read in blocks.
    case blockDevice = 7
  }

  /// One entry of the tree.
  public struct Entry: Hashable, Sendable {
    /// Where it lies.
    public let path: RelativePath
    /// What it is. Links are not followed.
    public let kind: Kind
    /// The permission bits with set-user-id, set-group-id and sticky, 0 to 0o7777; 0 for a link.
    public let permissions: UInt16
    /// The number of bytes of a file; 0 for others.
    public let size: UInt64
    /// The SHA-256 of a file's contents; empty for others.
    public internal(set) var digest: Data
    /// Where a link leads, as it is written there; empty for others.
    public let target: [UInt8]
    /// The system's number of a device; 0 for others.
    public let device: UInt64
  }

  package static let magic = Array("AtRestMF".utf8)
  /// The most bytes that a manifest is read with.
  package static let mostBytes: UInt64 = 1 << 31
  static let version: UInt16 = 1
  /// The most entries that a manifest has.
  public static let mostEntries = 1 << 24

  /// The entries in ascending order of their paths' bytes.
  public let entries: [Entry]
  /// The seal over all of them.
  public let seal: FileSeal
  /// Of the bytes that are sealed.
  let content: ContentDigest
  /// The manifest's bytes: about 50 an entry and the paths.
  public let encoded: Data

  init(sealing entries: [Entry], _ seal: (ContentDigest) throws -> FileSeal) throws {
    let list = Self.encode(entries)
    content = Self.digest(of: list)
    self.entries = entries
    self.seal = try seal(content)
    encoded = list + AppendedSeal.trailer(self.seal)
  }

  /// Reads a manifest's bytes. It is not thereby true.
  ///
  /// - Parameter name: What it is, for error messages.
  /// - Throws: `notStamped` where the bytes are not a manifest's;
  ///   ``AtRestError/Code/unsupportedVersion`` for one of a later version;
  ///   ``AtRestError/Code/damaged`` where it is cut off, or an entry is out of order, comes twice or
  ///   leads out of the folder.
  public init(decoding bytes: Data, name: String = "The manifest") throws {
    guard bytes.starts(with: Self.magic) else {
      throw AtRestError(
        .notStamped, "\(name) is not a manifest.",
        remedy: "Name the file that was written when the folder was sealed.")
    }
    let found = try AppendedSeal.find(count: UInt64(bytes.count), name: name, form: .manifest) {
      bytes.dropFirst(Int($0)).prefix($1)
    }
    guard let found else {
      throw AtRestError.damaged("\(name) does not end with its seal: it was cut off or changed.")
    }
    let list = bytes.prefix(Int(found.contentSize))
    entries = try list.withUnsafeBytes { try Self.decode($0, name: name) }
    content = Self.digest(of: list)
    seal = found.seal
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
      throw AtRestError(
        .unsupportedVersion, "\(name) has version \(version), and \(Self.version) is known.",
        remedy: "Use a later version of AtRest.")
    }
    let count = Int(try reader.integer(UInt32.self))
    // Kind, permissions and count of the path, and a byte of it: the least that an entry has.
    guard count <= mostEntries, count <= reader.remaining / 8 else {
      throw AtRestError.damaged("\(name) claims \(count) entries, more than it can hold.")
    }
    var entries: [Entry] = []
    entries.reserveCapacity(count)
    for index in 0..<count {
      let entry = try decodeEntry(&reader, "Entry \(index) of \(name)")
      if let last = entries.last, last.path >= entry.path {
        throw AtRestError.damaged("Entry \(index) of \(name) is out of order or comes twice.")
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
      throw AtRestError.damaged("\(name()) is of a kind that there is not.")
    }
    let permissions = try reader.integer(UInt16.self)
    guard permissions <= (kind == .link ? 0 : 0o7777) else {
      throw AtRestError.damaged("\(name()) has permissions that there are not.")
    }
    let bytes = Array(try reader.counted(limit: RelativePath.longest))
    guard let path = RelativePath(validating: bytes) else {
      throw AtRestError.damaged("\(name()) has a path that leads out of the folder, or nowhere.")
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
