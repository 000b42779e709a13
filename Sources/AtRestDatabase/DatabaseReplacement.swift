import AtRestCrypto
import AtRestKeybag
import CAtRestDatabase
import Foundation
import GRDB

/// The replacement of a database by a copy under another key.
///
/// The file at the path opens at every moment: its key is removed only when the copy that has its name was
/// found to open under the key that is stored.
struct DatabaseReplacement {
  let source: DatabaseOpening
  let key: DatabaseKey
  let format: DatabaseFormat
  let configuration: Configuration

  private var url: URL { source.url }
  /// True if the pages have the same layout, so that they are copied one by one.
  private var keepsLayout: Bool {
    source.format.pageSize == format.pageSize && source.format.reserve == format.reserve
      && source.format.hasPlaintextHeader == format.hasPlaintextHeader
  }

  /// Returns the record of the former key, if it stays.
  func run() throws -> DatabaseKeyRecord? {
    DatabaseDraft.removeSecondName(of: url)
    try checkNames()
    // Two replacements at once wait for each other here, and not for the database's locks.
    return try CompanionLock.exclusively(url.appending(suffix: CompanionLock.suffix).path) {
      try runLocked()
    }
  }

  private func runLocked() throws -> DatabaseKeyRecord? {
    let outcome = try source.open(configuration, isCopied: !keepsLayout, settles: false) {
      path, configuration, cipher in
      var configuration = configuration
      if case .immediateError = configuration.busyMode { configuration.busyMode = .timeout(5) }
      configuration.readonly = false
      // The lock comes before anything else. In WAL mode, this is that of writers only.
      configuration.prepareDatabase {
        try $0.execute(sql: "BEGIN EXCLUSIVE; PRAGMA locking_mode = EXCLUSIVE; COMMIT")
      }
      // atrest:ignore grdb-unencrypted the VFS in the path encrypts the file
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let mode = try lock(queue)
      // The lock is held from here until the connection is closed.
      let outcome = Result { try replace(queue, cipher, usesLog: mode == "wal") }
      try? queue.close()
      return outcome.mapError { AtRestError.from($0, opening: source, cipher: cipher) }
    }
    return try outcome.get()
  }

  /// Locks the database until the connection is closed, and empties its log. Returns its journal mode.
  private func lock(_ queue: DatabaseQueue) throws -> String {
    try queue.writeWithoutTransaction { db in
      let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode") ?? ""
      // In the exclusive locking mode, SQLite now takes the exclusive lock of the file in WAL mode too. That
      // fails if there is another connection.
      try db.inTransaction(.exclusive) { .commit }
      // A file that may not be written is opened for reading, without an error, and locked for reading only.
      guard db.hasExclusiveLock else { throw AtRestError.readOnly(url) }
      guard mode == "wal" else { return mode }
      let isBusy = try Bool.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") ?? true
      let log = SystemPath.status(url.appending(suffix: "-wal").path)
      guard !isBusy, log.map({ $0.st_size == 0 }) ?? true else {
        throw AtRestError(
          .busy, "The log of the database \(url.path) could not be copied into it.",
          remedy: "Close the other connections, and try again.")
      }
      return mode
    }
  }

  private func replace(
    _ queue: DatabaseQueue, _ cipher: PageCipher, usesLog: Bool
  ) throws -> DatabaseKeyRecord? {
    try checkNames()
    try checkPlace(queue)
    try Leftovers(source, cipher, nil).remove(cipher)
    // The file whose lock is held. Until it is overwritten, others could go on with it.
    let old = try DatabaseFile(url, format: source.format, writes: true)
    let transcription = try DatabaseTranscription(old, under: cipher, usesLog: usesLog)
    // An item or key file that has gone meanwhile, with its disk, is not made anew: it has the other keys.
    let draft = try DatabaseDraft(
      of: url, replacing: cipher.salt, target(cipher), format,
      makesKey: !key.hasSameRecords(as: source.key))
    do {
      if keepsLayout {
        try draft.transcribe(transcription)
      } else {
        try draft.vacuum(from: queue)
      }
      try draft.addRecord()
      if keepsLayout {
        try transcription.check(
          DatabaseFile(draft.url, format: format), under: draft.provenCipher())
      } else {
        try draft.checkPages(usesLog: usesLog)
      }
      try draft.takeProperties()
      // Another file may have got the name meanwhile, or this one a second name. Neither is touched.
      try checkNames()
      try checkPlace(queue)
      try removeCompanions()
      try checkPlace(queue)
    } catch {
      draft.discard()
      // If the folder was renamed, the copy is missing, and not damaged.
      try checkPlace(queue)
      throw error
    }
    try rename(draft)
    return try finish(draft, old, cipher)
  }

  /// Throws if the file that is locked no longer has its name.
  private func checkPlace(_ queue: DatabaseQueue) throws {
    guard queue.unsafeReentrantWrite({ !$0.hasMoved }) else {
      throw AtRestError(
        .busy, "The database \(url.path) was replaced meanwhile.",
        remedy: "Try again. Nothing was modified.")
    }
  }

  /// The new key. If the salt is not in the file and not in the key either, it stays the same.
  private func target(_ cipher: PageCipher) -> DatabaseKey {
    guard format.hasPlaintextHeader, key.salt == nil, case .passphrase(let box, _) = key.source
    else {
      return key
    }
    return .passphrase(box.bytes, salt: cipher.salt)
  }

  static func refuseLink(_ url: URL) throws {
    guard !DatabaseFile.isLink(url) else {
      throw AtRestError.invalid(
        "\(url.path) is a symbolic link, which would be replaced by a file.",
        remedy: "Name the file itself.")
    }
  }

  /// A file with a second name would lose that name's contents, and a link would be replaced by a file.
  private func checkNames() throws {
    try Self.refuseLink(url)
    guard let status = SystemPath.status(url.path, followingLinks: false) else { return }
    guard status.st_nlink == 1 else {
      throw AtRestError.invalid(
        "The database \(url.path) has another name: a hard link, which would no longer open.",
        remedy: "Remove the other name, or replace it by a copy. Nothing was modified.")
    }
  }

  /// Removes log, index and journal, which are empty: they would belong to the copy.
  private func removeCompanions() throws {
    for suffix in DatabaseDraft.companions {
      let file = url.appending(suffix: suffix).path
      guard SystemPath.remove(file) || errno == ENOENT else {
        throw SystemCall.error("remove", file)
      }
    }
  }

  private func rename(_ draft: DatabaseDraft) throws {
    let isRenamed = SystemPath.rename(draft.url.path, to: url.path)
    let number = errno
    // A file system in the network can lose the answer, so the file tells.
    guard isRenamed || draft.file?.hasName(url.path) == true else {
      // Whatever the error is, it can be that of a second request, after the first one replaced the file and its
      // answer was lost. Both keys stay until the next opening.
      throw AtRestError(
        .system, "The database \(url.path) could not be replaced, or the answer was lost.",
        remedy: "Check its folder, and open the database: it has its former key or the new one.",
        cause: POSIXError(.init(rawValue: number) ?? .EIO))
    }
    // If this fails, both keys stay until the next opening.
    try url.deletingLastPathComponent().synchronize()
  }

  /// Makes the former key and the former file useless, when the file with the name was found authentic under the
  /// new key. Returns the record of the former key, if it stays because the file may have been a copy.
  private func finish(
    _ draft: DatabaseDraft, _ old: DatabaseFile, _ cipher: PageCipher
  ) throws -> DatabaseKeyRecord? {
    guard try DatabaseFile(url, format: format).recognizes(draft.cipher) else {
      throw AtRestError(
        .busy, "The database \(url.path) was replaced right after it got its new key.",
        remedy: "Look which file it is. Nothing else was modified, and no key was removed.")
    }
    // Connections to the former file must not go on, whatever becomes of the keys.
    let former = Result {
      try draft.finishReplacing()
      // It may be in another item or key file.
      var kept: DatabaseKeyRecord?
      try source.key.updateRecords {
        $0.removeReplaced(cipher.salt, at: DatabaseKeyRecord.place(of: url))
        kept = $0[cipher.salt]
      }
      return kept
    }
    let erasure = Result { try old.invalidate() }
    let kept: DatabaseKeyRecord?
    do {
      kept = try former.get()
    } catch AtRestError.Code.notFound {
      throw AtRestError(
        .notFound,
        "\(key.owner) with the new key of the database \(url.path) went away, or that with the former one.",
        remedy: "Bring it back, with its disk or its name: the database does not open without it.")
    } catch {
      throw AtRestError(
        .system,
        "The database \(url.path) has its new key, and the former one could not be removed.",
        remedy: key.hasSameRecords(as: source.key)
          ? "Open the database once, which removes it."
          : "Remove it, with atrest database keys --remove or the call removeKey.",
        cause: error)
    }
    try erasure.get()
    return kept
  }
}
