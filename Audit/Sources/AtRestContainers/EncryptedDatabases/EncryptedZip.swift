import AtRestFormats
import Crypto

/// A zip archive with entries that are encrypted with AES, on which passphrases are tried.
///
/// A passphrase is right if the MAC of an entry is.
struct EncryptedZip: LockedFile {
  private let archive: ZipArchive
  /// The first entry and the smallest one. Entries may have different passphrases.
  private let samples: [(entry: ZipArchive.Entry, packed: ByteSource)]

  /// Prepares an archive, or returns nil if nothing in it is encrypted with AES.
  ///
  /// - Throws: ``FormatError`` if it cannot be read.
  init?(_ source: ByteSource) throws(FormatError) {
    archive = try ZipArchive(source)
    let entries = archive.lockedEntries
    guard let first = entries.first, let smallest = entries.min(by: { $0.size < $1.size }) else {
      return nil
    }
    var samples = [(first, try archive.packed(first))]
    if smallest != first { samples.append((smallest, try archive.packed(smallest))) }
    self.samples = samples
  }

  var keys: LockedFileKeys { .none }
  var takesPassphrases: Bool { true }

  func open(withKey bytes: [UInt8]) throws -> UnlockedFile? { nil }

  func open(withPassphrase bytes: [UInt8]) throws -> UnlockedFile? {
    for (entry, packed) in samples {
      guard let opened = try DecryptedZipEntry(packed, entry, bytes), try opened.isAuthentic()
      else { continue }
      return UnlockedFile(
        format: "AES", isPassphrase: true, contents: .archive(DecryptedZip(archive, bytes)))
    }
    return nil
  }
}

/// The entries of a zip archive that a passphrase opens. They are decrypted when they are read.
struct DecryptedZip: FileTree {
  /// The maximum number of entries, because a key is derived for each.
  private static let entryLimit = 10_000

  private let archive: ZipArchive
  private let passphrase: [UInt8]

  init(_ archive: ZipArchive, _ passphrase: [UInt8]) {
    self.archive = archive
    self.passphrase = passphrase
  }

  func list(limit: Int) throws(FormatError) -> FileListing {
    var listing = FileListing()
    let entries = archive.lockedEntries.enumerated().filter { !$0.element.name.hasSuffix("/") }
    let fitting = entries.prefix(min(limit, Self.entryLimit))
    listing.files = fitting.map { index, entry in
      TreeFile(path: entry.name, size: entry.size, identifier: index)
    }
    if fitting.count < entries.count {
      let reason =
        "\(entries.count - fitting.count) entries were not decrypted. There are too many."
      listing.problems.append(WalkProblem(Locator(""), reason))
    }
    return listing
  }

  func open(_ file: TreeFile) throws(FormatError) -> FileContents {
    let entry = archive.lockedEntries[file.identifier]
    let packed = try archive.packed(entry)
    let passphrase = passphrase
    return .stream { each throws(FormatError) in
      do {
        guard let opened = try DecryptedZipEntry(packed, entry, passphrase) else {
          throw FormatError("The zip entry has another passphrase.")
        }
        guard try opened.isAuthentic() else { throw FormatError("The zip entry is damaged.") }
        try ZipArchive.unpack(opened.plaintext, as: entry, limit: entry.size, each: each)
      } catch let error as FormatError {
        throw error
      } catch {
        throw FormatError("The zip entry cannot be decrypted: \(error)")
      }
    }
  }
}
