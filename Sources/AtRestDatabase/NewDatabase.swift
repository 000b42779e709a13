import AtRestCrypto
import AtRestKeybag
import CAtRestDatabase
import Foundation

/// The first state of a database in AtRest's format: of an empty one, of a copy, or of one that is accepted
/// as it is.
struct NewDatabase {
  private let opening: DatabaseOpening
  private var url: URL { opening.url }

  init(_ opening: DatabaseOpening) { self.opening = opening }

  /// Makes an empty database, unless another process has made one meanwhile.
  func make() throws {
    let lock = try stateLock()
    defer { close(lock) }
    guard try DatabaseFile(url, format: opening.format).isEmpty else { return }
    let salt = RandomBytes.data(count: DatabaseFormat.saltSize)
    let ciphers = try opening.key.ciphers(for: opening.format, salt: salt, isNew: true)
    guard let cipher = ciphers.first as? AtRestPageCipher else { return }
    let page = try sealed(firstPage(cipher), cipher)
    var hash = PageSetHash()
    page.suffix(PageHasher.reserveSize).withUnsafeBytes {
      hash.add(PageHasher(cipher).hash(of: 1, reserve: $0))
    }
    var state = DatabaseState(pageCount: 1, hash: hash)
    // The keychain may have seen an earlier database of the same name.
    state.sequence = try nextSequence()
    try StateFile(of: url, cipher: cipher).begin(state)
    try DurableFile.replace(url, page)
  }

  /// Gives a copy that SQLite has written WAL mode and a state.
  ///
  /// - Parameters:
  ///   - name: The name that the copy will have.
  ///   - predecessor: The database that has the name now.
  func finish(
    _ cipher: AtRestPageCipher, as name: URL, replacing predecessor: DatabaseCopy.Predecessor?
  ) throws {
    let file = try DatabaseFile(url, format: opening.format, writes: true)
    let size = cipher.format.pageSize
    guard let page = file.bytes(at: 0, count: size) else { throw shortened }
    var plain = Data(count: size)
    try page.withUnsafeBytes { sealed in
      try plain.withUnsafeMutableBytes { try cipher.open(1, sealed, into: $0) }
    }
    // The versions of the format that SQLite uses in WAL mode.
    plain[18] = 2
    plain[19] = 2
    try file.write(try sealed(plain, cipher), at: 0)
    var state = try Self.state(of: file, cipher)
    state.sequence = try max(predecessor?.sequence ?? 0, nextSequence())
    try StateFile(of: name, cipher: cipher).begin(state, replacing: predecessor?.salt)
  }

  /// Makes a state of the pages that a file has now.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if one of them is not authentic.
  static func state(of file: DatabaseFile, _ cipher: AtRestPageCipher) throws -> DatabaseState {
    let size = cipher.format.pageSize
    let count = file.pageCount(of: size)
    let hasher = PageHasher(cipher)
    var hash = PageSetHash()
    for page in 1...max(1, UInt32(count))
    where page != DatabaseFormat.locksPage(pageSize: size) {
      guard let sealed = file.bytes(at: Int(page - 1) * size, count: size),
        sealed.withUnsafeBytes({ cipher.isAuthentic(page, $0) })
      else {
        throw AtRestError.damaged("Page \(page) of the database \(file.url.path) is damaged.")
      }
      sealed.suffix(PageHasher.reserveSize).withUnsafeBytes {
        hash.add(hasher.hash(of: page, reserve: $0))
      }
    }
    return DatabaseState(pageCount: UInt32(count), hash: hash)
  }

  /// Locks the state file, which is made if it does not exist, until the descriptor is closed.
  private func stateLock() throws -> Int32 {
    let name = StateFile.url(of: url)
    let descriptor = SystemPath.open(name.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else {
      let cause = POSIXError(.init(rawValue: errno) ?? .EIO)
      if descriptor >= 0 { close(descriptor) }
      throw AtRestError(
        .system, "The file \(name.path) could not be made or locked.",
        remedy: "Check the folder, its permissions and the free space of its disk.", cause: cause)
    }
    return descriptor
  }

  private func nextSequence() throws -> UInt64 { (try opening.key.stateCounter?.value() ?? 0) + 1 }

  private func sealed(_ plain: Data, _ cipher: AtRestPageCipher) throws -> Data {
    var sealed = Data(count: plain.count)
    try plain.withUnsafeBytes { plain in
      try sealed.withUnsafeMutableBytes { try cipher.seal(1, plain, into: $0) }
    }
    return sealed
  }

  /// Page 1 of an empty database in WAL mode: SQLite's header with the number of pages, and a leaf of the
  /// schema's table without cells. Source: sqlite.org/fileformat2.html.
  private func firstPage(_ cipher: AtRestPageCipher) -> Data {
    let size = cipher.format.pageSize
    var page = AtRestHeader(pageSize: size, salt: cipher.salt).plain
    page.append(Data(count: size - page.count))
    page[31] = 1
    page[100] = 0x0d
    let end = size - cipher.format.reserve
    page[105] = UInt8(truncatingIfNeeded: end >> 8)
    page[106] = UInt8(truncatingIfNeeded: end)
    return page
  }

  private var shortened: AtRestError {
    .damaged("The database \(url.path) is shorter than a page.")
  }
}
