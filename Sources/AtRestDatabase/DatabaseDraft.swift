import AtRestCrypto
import AtRestKeybag
import CAtRestDatabase
import Foundation
import GRDB

/// A database that has another name until it is whole, durable and known to open.
///
/// One process at a time has the draft of a file: the caller holds a lock.
final class DatabaseDraft {
  /// The kinds of drafts: of a file that does not exist yet, and of one that takes the place of another. A draft has
  /// a name that nobody gives to a database, because it is removed when it is found.
  enum Kind: String {
    case new = ".atrest-new"
    case rekey = ".atrest-rekey"
  }

  /// The suffixes of the files that SQLite makes beside a database.
  static let companions = ["-journal", "-wal", "-shm"]

  /// The suffixes of all files that are made and removed beside a database.
  static let besides =
    companions + [CompanionLock.suffix]
    + [Kind.new, .rekey].flatMap { kind in ([""] + companions).map { kind.rawValue + $0 } }

  private let kind: Kind
  /// The name that the draft gets.
  let place: URL
  let url: URL
  let key: DatabaseKey
  let format: DatabaseFormat
  let cipher: PageCipher
  private let record: DatabaseKeyRecord?
  /// True if the item or key file may be made.
  private let makesKey: Bool
  /// The state of the key in the item or key file. A call that failed may have stored it.
  private enum Recording { case none, uncertain, certain }
  private var recording = Recording.none
  /// True once the file may have its name. From then on it may be in use, so neither it nor its key is removed.
  private var isInPlace = false
  /// The file that was made, whatever has its name by now.
  private(set) var file: MadeFile?

  /// - Parameters:
  ///   - place: The name that the draft gets.
  ///   - salt: The salt of the file that it replaces, or nil.
  ///   - makesKey: True to make the item or key file if it does not exist.
  init(
    of place: URL, replacing salt: Data? = nil, _ key: DatabaseKey, _ format: DatabaseFormat,
    makesKey: Bool = true
  ) throws {
    kind = salt == nil ? .new : .rekey
    self.place = place
    self.key = key
    self.format = format
    // A key file that is there has other keys, and does not get lost with its disk and made anew meanwhile.
    self.makesKey = makesKey && !key.hasFile
    url = Self.url(kind, of: place)
    var record: DatabaseKeyRecord?
    (cipher, record) = try key.newCipher(for: place, in: format)
    if let salt { record?.former = salt }
    self.record = record
    Self.remove(url)
  }

  static func url(_ kind: Kind, of place: URL) -> URL { place.appending(suffix: kind.rawValue) }

  /// Removes the name of a draft whose file has got its own name too, when a process was killed in between.
  static func removeSecondName(of place: URL) {
    let draft = url(.new, of: place).path
    if let identity = FileIdentity(draft), identity == FileIdentity(place.path) {
      SystemPath.remove(draft)
    }
  }

  /// Removes a draft that a process left behind.
  static func remove(_ url: URL) {
    for suffix in companions + [""] { SystemPath.remove(url.path + suffix) }
  }

  // MARK: Contents

  /// Makes the empty file, so that nobody else can read what SQLite writes into it.
  func make() throws { file = try MadeFile(url.path, for: place.path) }

  /// Gives the draft the owner and the permissions of the file that it replaces.
  func takeProperties() throws {
    guard let status = SystemPath.status(place.path, followingLinks: false) else {
      throw SystemCall.error("inspect", place.path)
    }
    try file?.open { try DurableFile.takeProperties(of: place.path, status, $0, place.path) }
    try file?.synchronize()
  }

  /// Lets SQLite copy a database into the file.
  func vacuum(from queue: DatabaseQueue) throws {
    try make()
    let registration = try KeyRegistration(cipher)
    try DatabaseCopy.vacuum(
      queue, into: registration.uri(of: url, vfs: EncryptedDatabase.vfs, isCopy: true), format)
    withExtendedLifetime(registration) {}
    try file?.synchronize()
  }

  /// Copies the pages of a database one by one. No connection may write to it.
  func transcribe(_ transcription: DatabaseTranscription) throws {
    file = try MadeFile(url.path, for: place.path) {
      try transcription.write(to: $0, under: cipher, path: place.path)
    }
  }

  // MARK: The end

  /// Adds the key of the draft to the item or key file.
  func addRecord() throws {
    guard let record else { return }
    try key.updateRecords(creating: makesKey) { records in
      if records[record.salt] == nil { try records.add(record) }
      recording = .uncertain
    }
    recording = .certain
  }

  /// Returns the cipher of the draft under the key as it is stored.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the draft is not authentic under it.
  func provenCipher() throws -> PageCipher {
    let file = try DatabaseFile(url, format: format)
    guard let found = try key.ciphers(of: file, in: format).all.first(where: file.recognizes) else {
      throw AtRestError.damaged("The new database \(place.path) is not as it was written.")
    }
    return found
  }

  /// Opens the draft under its stored key, and checks every page.
  ///
  /// - Parameter usesLog: True to give it the journal mode WAL.
  func checkPages(usesLog: Bool) throws {
    try DatabaseOpening(url, key, format).open(Configuration(), settles: false) {
      path, configuration, _ in
      // atrest:ignore grdb-unencrypted the VFS in the path encrypts the file
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
      try queue.close()
    }
    let cipher = try provenCipher()
    if usesLog { try setLogMode(cipher) }
    let file = try DatabaseFile(url, format: format)
    let locks = Int(DatabaseFormat.locksPage(pageSize: format.pageSize))
    let count = file.pageCount(of: format.pageSize)
    guard file.recognizes(cipher),
      (1...max(1, count)).allSatisfy({ $0 == locks || file.isAuthentic(UInt32($0), cipher) })
    else { throw AtRestError.damaged("The copy of \(place.path) is not as it was written.") }
  }

  /// Writes the versions of the file format that SQLite has in WAL mode.
  private func setLogMode(_ cipher: PageCipher) throws {
    let file = try DatabaseFile(url, format: format, writes: true)
    guard var page = file.bytes(at: 0, count: format.pageSize) else {
      throw AtRestError.damaged("The copy of \(place.path) has no first page.")
    }
    var plain = Data(count: page.count)
    defer { plain.resetBytes(in: 0..<plain.count) }
    try page.withUnsafeBytes { sealed in
      try plain.withUnsafeMutableBytes { try cipher.open(1, sealed, into: $0) }
    }
    plain[18] = 2
    plain[19] = 2
    try page.withUnsafeMutableBytes { sealed in
      try plain.withUnsafeBytes { try cipher.seal(1, $0, into: sealed) }
    }
    try file.write(page, at: 0)
  }

  /// Gives the draft its name, which must not be taken.
  func takePlace() throws {
    do {
      try Self.give(place, to: url) { isInPlace = true }
    } catch {
      isInPlace = isInPlace || !isKnownNotInPlace
      throw error
    }
    // The next opening does it otherwise.
    try? key.updateRecords { $0.settle(cipher.salt, at: DatabaseKeyRecord.place(of: place)) }
  }

  /// True if the file still has the name of the draft, and its own name has another file or none.
  private var isKnownNotInPlace: Bool {
    guard let file, file.hasName(url.path) else { return false }
    guard FileIdentity(place.path) != nil else { return errno == ENOENT }
    return !file.hasName(place.path)
  }

  static func give(_ place: URL, to draft: URL, _ done: () -> Void = {}) throws {
    let identity = FileIdentity(draft.path)
    let code = SystemPath.with(draft.path) { name in
      SystemPath.with(place.path) { atrest_rename_new(name, $0) }
    }
    let number = errno
    // A file system in the network can lose the answer, so the file tells.
    guard code == 0 || (identity != nil && FileIdentity(place.path) == identity) else {
      guard number != EEXIST else { throw duplicate(place) }
      errno = number
      throw SystemCall.error("create", place.path)
    }
    done()
    remove(draft)
    try place.deletingLastPathComponent().synchronize()
  }

  /// Removes the draft and its key. The key goes first, and a draft whose key may still be there stays: the next
  /// opening removes both.
  func discard() {
    guard !isInPlace else { return }
    var isKeyGone = recording == .none
    if recording != .none, let record {
      do {
        try key.updateRecords { $0.remove(record.salt) }
        isKeyGone = recording == .certain
      } catch AtRestError.Code.notFound {
        // One that was stored comes back with its disk.
        isKeyGone = recording == .uncertain
      } catch {}
    }
    guard isKeyGone else {
      // Page 1 is enough to recognise the draft. The disk may be full.
      try? file?.open { _ = ftruncate($0, off_t(format.pageSize)) }
      return
    }
    Self.remove(url)
  }

  /// Removes the key of the file that the draft has replaced, and those of its other drafts.
  func finishReplacing() throws {
    guard let record else { return }
    try key.updateRecords { records in
      if records[record.salt] == nil { try records.add(record) }
      records.settle(record.salt, at: DatabaseKeyRecord.place(of: place))
    }
  }

  static func duplicate(_ url: URL) -> AtRestError {
    if DatabaseFile.isLink(url), SystemPath.status(url.path) == nil {
      return AtRestError(
        .duplicate, "\(url.path) is a symbolic link to a file that cannot be found.",
        remedy: "Name that file, or remove the link.")
    }
    return AtRestError(
      .duplicate, "The file \(url.path) exists.",
      remedy: "Name another file, or remove this one.")
  }
}
