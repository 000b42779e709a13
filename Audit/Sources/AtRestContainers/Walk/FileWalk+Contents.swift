import AtRestFormats
import Crypto
import Foundation

/// Files: their type, raw bytes, hash and contents.
extension FileWalk {
  /// Visits a file of a folder, an archive or a backup.
  func walk(_ task: ListedFile) {
    let file = task.file
    let outer = current
    current = reports.count
    defer { current = outer }
    let place = Place(locator: task.group.locator(of: file), depth: task.group.depth)
    reports.append(
      FileReport(
        locator: place.locator, size: file.size, modified: file.modified,
        protectionClass: file.protectionClass, isExcludedFromBackups: file.isExcludedFromBackups))
    reports[current].isSnapshot = Self.isSnapshot(file.path)
    do {
      let contents = try task.group.tree.open(file)
      walk(contents, place, task, expected: file.size)
    } catch {
      problem(place, error)
    }
  }

  /// Visits contents. Small contents that have to be unpacked are held in memory.
  ///
  /// - Parameter task: The file, or nil if these are the contents of a part of it.
  func walk(_ contents: FileContents, _ place: Place, _ task: ListedFile?, expected: Int) {
    switch contents {
    case .random(let source): walk(source, place, task)
    case .stream(let read): walk(read, place, task, expected: expected)
    }
  }

  private func walk(
    _ read: (([UInt8]) throws(FormatError) -> Void) throws(FormatError) -> Void, _ place: Place,
    _ task: ListedFile?, expected: Int
  ) {
    var held: [UInt8] = []
    let room = decodeLimit
    held.reserveCapacity(min(max(expected, 0), room))
    var windows: RawWindows?
    var size = 0
    var isWhole = true
    do throws(FormatError) {
      try read { chunk throws(FormatError) in
        size += chunk.count
        guard countDecoded(chunk.count, place), isInTime(place) else {
          throw FormatError("The data was not read to its end.")
        }
        if windows == nil, held.count + chunk.count > room {
          windows = RawWindows(hashes: state.walk.hashes)
          windows?.add(held) { giveRaw($0, at: $1, place) }
          held = []
        }
        if windows == nil {
          held += chunk
        } else {
          windows?.add(chunk) { giveRaw($0, at: $1, place) }
        }
      }
    } catch {
      problem(place, error)
      isWhole = false
    }
    guard let windows else {
      return holding(held.count) { walk(ByteSource(held), place, task) }
    }
    if let rest = windows.rest { giveRaw(rest.bytes, at: rest.offset, place) }
    problem(place, "The unpacked data is larger than \(room) bytes: only its raw bytes were read.")
    if task != nil {
      reports[current].size = size
      reports[current].type = windows.type ?? .unknown
      reports[current].sha256 = isWhole ? windows.digest : nil
    }
  }

  private func walk(_ source: ByteSource, _ place: Place, _ task: ListedFile?) {
    do throws(FormatError) {
      let type = try FileType.read(source)
      if task != nil {
        reports[current].size = source.count
        reports[current].type = type
        if let task, type == .unknown, try isEncryptedFile(source) {
          markEncrypted(task)
        } else if let task, try mayBeEncryptedDatabase(source, type, task) {
          reports[current].listed = task
        }
      }
      // The pieces of a large text are visited as lines and as raw bytes together.
      let isLargeText =
        task != nil && !state.walk.hashes && source.count > Self.pieceSize
        && (type == .text || type == .html)
      spreadsRaw = false
      if !isLargeText { try giveRaw(source, place, isFile: task != nil) }
      if task != nil { keepPicture(source, type) }
      if let task { keepApplication(source, task) }
      open(source, type, place, task)
      if isLargeText, !spreadsRaw { try giveRaw(source, place, isFile: true) }
    } catch {
      problem(place, error)
    }
  }

  /// Returns true for a file on which keys may be tried later. One in an archive within another is left out, because
  /// the archive would stay in memory for it.
  private func mayBeEncryptedDatabase(
    _ source: ByteSource, _ type: FileType, _ task: ListedFile
  ) throws(FormatError) -> Bool {
    guard task.group.depth <= 1, source.count >= 512, source.count % 512 == 0 else { return false }
    guard type == .sqlite else { return type == .unknown }
    // In a database that is not encrypted, SQLite uses all bytes of a page.
    return SQLiteHeader(try source.prefix(SQLiteHeader.size))?.reserved ?? 0 > 0
  }

  /// Returns true for a file that is encrypted as a whole in a known format.
  private func isEncryptedFile(_ source: ByteSource) throws(FormatError) -> Bool {
    if try OpenSSLFile(source) != nil { return true }
    return try RNCryptorFile(source) != nil
  }

  // MARK: Raw bytes

  private static let windowStep = WalkLimits.windowBytes - WalkLimits.windowOverlap
  /// The size in bytes of the pieces of a large file that are visited on several cores.
  static let pieceSize = 16 * windowStep

  /// Visits pieces of a file, on any core.
  func spread(_ pieces: [FilePiece]) {
    queue.add(pieces.map { FileTask.piece($0) })
  }

  /// Visits a piece of a file. Its values are counted with the file.
  func walk(_ piece: FilePiece) {
    isPiece = true
    reports.append(
      FileReport(locator: piece.place.locator, size: 0, modified: nil, protectionClass: nil))
    do {
      switch piece.content {
      case .raw(let range): try giveRaw(piece.source, range, piece.place)
      case .lines(let range, let first, let isRaw):
        if isRaw {
          // A byte order mark precedes the first line.
          let start = first == 1 ? 0 : range.lowerBound
          try giveRaw(piece.source, start..<range.upperBound, piece.place)
        }
        try lines(piece.source, range, first: first, piece.place)
      }
    } catch {
      problem(piece.place, error)
    }
  }

  private func giveRaw(_ source: ByteSource, _ place: Place, isFile: Bool) throws(FormatError) {
    let hashes = isFile && state.walk.hashes
    guard hashes || state.walk.rawBytes else { return }
    if isFile, !hashes, source.count > Self.pieceSize {
      let pieces = stride(from: 0, to: source.count, by: Self.pieceSize)
      return spread(
        pieces.map { start in
          let range = start..<min(source.count, start + Self.pieceSize)
          return FilePiece(source: source, place: place, content: .raw(range))
        })
    }
    try giveRaw(source, 0..<source.count, place, hashes: hashes)
  }

  /// Visits the windows that begin in a range. Holes of sparse files are left out.
  func giveRaw(
    _ source: ByteSource, _ range: Range<Int>, _ place: Place, hashes: Bool = false
  ) throws(FormatError) {
    var hash = SHA256()
    var offset = range.lowerBound
    found = nil
    var ranges: [Range<Int>] = []
    while offset < range.upperBound, isInTime(place) {
      if !hashes {
        let data = source.nextData(from: offset)
        let skipped = max(0, data - offset) / Self.windowStep
        if skipped > 0 {
          offset += skipped * Self.windowStep
          continue
        }
      }
      let end = min(
        source.count, offset + WalkLimits.windowBytes, range.upperBound + WalkLimits.windowOverlap)
      let bytes = try source.read(offset..<end)
      if hashes {
        let fresh = offset == 0 ? 0 : WalkLimits.windowOverlap
        bytes.withUnsafeBytes {
          hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[fresh...]))
        }
      }
      if state.walk.rawBytes {
        ranges += giveRaw(bytes, at: offset, place).map {
          $0.lowerBound + offset..<$0.upperBound + offset
        }
      }
      if end == source.count { break }
      offset += Self.windowStep
    }
    if state.walk.rawBytes, !isStopped {
      found = (source, ranges.sorted { $0.lowerBound < $1.lowerBound })
    }
    if hashes, !isStopped { reports[current].sha256 = Array(hash.finalize()) }
  }

  @discardableResult
  private func giveRaw(_ bytes: [UInt8], at offset: Int, _ place: Place) -> [Range<Int>] {
    rawBytes += offset == 0 ? bytes.count : max(0, bytes.count - WalkLimits.windowOverlap)
    guard state.walk.rawBytes else { return [] }
    return giveRaw(bytes, place.at(.offset(offset)))
  }

  // MARK: Containers

  /// The list in which the system notes whose container a folder is.
  private static let metadata = ".com.apple.mobile_container_manager.metadata.plist"

  private func keepApplication(_ source: ByteSource, _ task: ListedFile) {
    guard task.file.path.split(separator: "/").last.map(String.init) == Self.metadata,
      source.count <= limits.documentBytes, let bytes = try? source.read(0..<source.count),
      let entries = PropertyList.read(Data(bytes), path: "").root?.entries
    else { return }
    reports[current].application =
      entries.first { $0.key == "MCMMetadataIdentifier" }?.node.string
  }

  // MARK: Pictures

  /// Returns true for paths at which the system stores snapshots of the app's windows.
  private static func isSnapshot(_ path: String) -> Bool {
    path.contains("SplashBoard/Snapshots/") || path.contains("Caches/Snapshots/")
  }

  private func keepPicture(_ source: ByteSource, _ type: FileType) {
    guard reports[current].isSnapshot, type == .png || type == .jpeg,
      source.count <= WalkLimits.pictureSize, state.takePicture(source.count)
    else { return }
    reports[current].picture = try? source.read(0..<source.count)
  }
}
