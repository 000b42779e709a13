import AtRestCrypto
import AtRestKeybag
import Foundation

/// A copy of a database under another key, page by page, with the same layout. It needs none of the
/// application's functions and collations.
///
/// Pages of zeros stay as they are: the one with SQLite's locks, and unused ones that SQLCipher leaves, which the
/// list of free pages names. They are not authentic in the copy either.
struct DatabaseTranscription {
  /// Pages that follow each other, opened, in memory that is used again.
  private struct Group {
    let numbers: ClosedRange<UInt32>
    let plain: UnsafeMutableRawBufferPointer
    var blank: Set<UInt32> = []
  }

  private static let pagesPerGroup = 64

  private let source: DatabaseFile
  private let old: PageCipher
  /// True to give the copy the journal mode WAL.
  private let usesLog: Bool
  private var size: Int { old.format.pageSize }

  /// - Throws: ``AtRestError/Code/damaged`` if the file is shorter than its header says, or ends within a page that may
  ///   be in use.
  init(_ source: DatabaseFile, under cipher: PageCipher, usesLog: Bool) throws {
    self.source = source
    self.usesLog = usesLog
    old = cipher
    let whole = source.pageCount(of: cipher.format.pageSize)
    let count = source.headerPageCount(cipher)
    guard count.map({ $0 <= whole }) ?? !source.endsWithinPage(of: cipher.format.pageSize) else {
      throw AtRestError.cutOff(source.url)
    }
    headerCount = count
    let rest = cipher.format.hasPlaintextHeader ? (count ?? whole)..<whole : 0..<0
    pageCount =
      rest.last { source.isAuthentic(UInt32($0 + 1), cipher) }.map { $0 + 1 } ?? count ?? whole
  }

  /// Writes the pages.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if a page is not authentic.
  func write(to file: Int32, under new: PageCipher, path: String) throws {
    try eachGroup { group in
      var sealed = Data(count: group.plain.count)
      try sealed.withUnsafeMutableBytes { sealed in
        for number in group.numbers where !group.blank.contains(number) {
          let range = range(of: number, in: group)
          try new.seal(
            number, UnsafeRawBufferPointer(rebasing: group.plain[range]),
            into: UnsafeMutableRawBufferPointer(rebasing: sealed[range]))
        }
      }
      try SystemCall.write(sealed, to: file, path: path)
    }
  }

  /// Compares each page of a copy with the original.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if a page is not authentic or has other contents.
  func check(_ copy: DatabaseFile, under cipher: PageCipher) throws {
    guard copy.size == pageCount * size else { throw Self.other(copy, 1) }
    var opened = Data(count: size)
    defer { opened.resetBytes(in: 0..<opened.count) }
    try eachGroup { group in
      for number in group.numbers {
        guard let page = copy.bytes(at: Int(number - 1) * size, count: size) else {
          throw Self.other(copy, number)
        }
        let isSame: Bool
        if group.blank.contains(number) {
          isSame = Self.isBlank(page)
        } else {
          let expected = UnsafeRawBufferPointer(rebasing: group.plain[range(of: number, in: group)])
          isSame = try opened.withUnsafeMutableBytes { opened in
            try page.withUnsafeBytes { try cipher.open(number, $0, into: opened) }
            return opened.elementsEqual(expected)
          }
        }
        guard isSame else { throw Self.other(copy, number) }
      }
    }
  }

  private static func other(_ copy: DatabaseFile, _ page: UInt32) -> AtRestError {
    .damaged("Page \(page) of the copy \(copy.url.path) is not as it was written.")
  }

  // MARK: Pages

  /// The number of pages, which the header knows better than the size of the file. What follows them is unused.
  private let headerCount: Int?
  /// The number of pages to copy. Nothing authenticates the number in a plaintext header, so what is authentic after
  /// these pages is copied too.
  private let pageCount: Int

  /// The pages of zeros that may be there: leaves of the list of free pages, which SQLite does not write.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if a page of the list is not authentic.
  func freeLeaves() throws -> Set<UInt32> {
    var (leaves, trunks): (Set<UInt32>, Set<UInt32>) = ([], [])
    var plain = Data(count: size)
    defer { plain.resetBytes(in: 0..<plain.count) }
    func word(_ index: Int) -> UInt32 {
      plain[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    func read(_ page: UInt32) throws {
      try plain.withUnsafeMutableBytes { plain in
        guard try open(page, into: plain) else {
          throw AtRestError.damaged("Page \(page) of the database \(source.url.path) is damaged.")
        }
      }
    }
    try read(1)
    var trunk = word(32)
    while trunk != 0, trunk <= pageCount, trunks.insert(trunk).inserted {
      try read(trunk)
      let room = (size - old.format.reserve) / 4 - 2
      leaves.formUnion((0..<min(Int(word(4)), room)).map { word(8 + 4 * $0) })
      trunk = word(0)
    }
    return leaves
  }

  private func range(of number: UInt32, in group: Group) -> Range<Int> {
    let start = Int(number - group.numbers.lowerBound) * size
    return start..<start + size
  }

  private func eachGroup(_ body: (Group) throws -> Void) throws {
    let locks = DatabaseFormat.locksPage(pageSize: size)
    var free: Set<UInt32>?
    var plain = Data(count: Self.pagesPerGroup * size)
    defer { plain.resetBytes(in: 0..<plain.count) }
    for first in stride(from: 1, through: pageCount, by: Self.pagesPerGroup) {
      let last = min(pageCount, first + Self.pagesPerGroup - 1)
      try plain.withUnsafeMutableBytes { plain in
        var group = Group(
          numbers: UInt32(first)...UInt32(last),
          plain: UnsafeMutableRawBufferPointer(rebasing: plain[..<((last - first + 1) * size)]))
        for number in group.numbers {
          let range = range(of: number, in: group)
          let isOpen = try open(
            number, into: UnsafeMutableRawBufferPointer(rebasing: plain[range]))
          guard !isOpen else { continue }
          let isUnused = headerCount.map { number > $0 } ?? false
          let leaves = try free ?? freeLeaves()
          free = leaves
          guard isUnused || number == locks || leaves.contains(number) else {
            throw AtRestError.damaged(
              "Page \(number) of the database \(source.url.path) has only zeros, and is in use.")
          }
          group.blank.insert(number)
        }
        try body(group)
      }
    }
  }

  /// Returns true if a page has only zeros.
  static func isBlank(_ page: Data) -> Bool {
    page.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, bytes[0] == 0 else { return bytes.isEmpty }
      return memcmp(start, start + 1, bytes.count - 1) == 0
    }
  }

  /// Opens a page, and returns false if it has only zeros or is the one with SQLite's locks, which is never read.
  private func open(
    _ number: UInt32, into plain: UnsafeMutableRawBufferPointer
  ) throws -> Bool {
    guard number != DatabaseFormat.locksPage(pageSize: size) else { return false }
    guard let page = source.bytes(at: Int(number - 1) * size, count: size) else {
      throw AtRestError(
        .system, "Page \(number) of the database \(source.url.path) could not be read.",
        remedy: "Check the disk.")
    }
    guard !Self.isBlank(page) else { return false }
    try page.withUnsafeBytes { sealed in
      do {
        try old.open(number, sealed, into: plain)
      } catch {
        throw AtRestError.damaged("Page \(number) of the database \(source.url.path) is damaged.")
      }
    }
    if number == 1, usesLog {
      // The versions of the file format that SQLite has in WAL mode.
      plain[18] = 2
      plain[19] = 2
    }
    return true
  }
}
