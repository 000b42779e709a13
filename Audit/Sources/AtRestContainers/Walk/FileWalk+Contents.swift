import AtRestFormats
import Crypto
import Foundation

/// Files: their type, raw bytes, hash and contents.
extension FileWalk {
  /// Visits a file of a folder, an archive or a backup.
  func walk(_ task: FileTask) {
    let file = task.file
    let outer = current
    current = reports.count
    defer { current = outer }
    let place = Place(locator: task.group.locator(of: file), depth: task.group.depth)
    reports.append(
      FileReport(
        locator: place.locator, size: file.size, modified: file.modified,
        protectionClass: file.protectionClass))
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
  func walk(_ contents: FileContents, _ place: Place, _ task: FileTask?, expected: Int) {
    switch contents {
    case .random(let source): walk(source, place, task)
    case .stream(let read): walk(read, place, task, expected: expected)
    }
  }

  private func walk(
    _ read: (([UInt8]) throws(FormatError) -> Void) throws(FormatError) -> Void, _ place: Place,
    _ task: FileTask?, expected: Int
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

  private func walk(_ source: ByteSource, _ place: Place, _ task: FileTask?) {
    do throws(FormatError) {
      let type = try FileType.read(source)
      if task != nil {
        reports[current].size = source.count
        reports[current].type = type
      }
      try giveRaw(source, place, isFile: task != nil)
      if task != nil { keepPicture(source, type) }
      open(source, type, place, task)
    } catch {
      problem(place, error)
    }
  }

  // MARK: Raw bytes

  private func giveRaw(_ source: ByteSource, _ place: Place, isFile: Bool) throws(FormatError) {
    let hashes = isFile && state.walk.hashes
    guard hashes || state.walk.rawBytes else { return }
    var hash = SHA256()
    var offset = 0
    while offset < source.count, isInTime(place) {
      let end = min(source.count, offset + WalkLimits.windowBytes)
      let bytes = try source.read(offset..<end)
      if hashes {
        let fresh = offset == 0 ? 0 : WalkLimits.windowOverlap
        bytes.withUnsafeBytes {
          hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[fresh...]))
        }
      }
      if state.walk.rawBytes { giveRaw(bytes, at: offset, place) }
      if end == source.count { break }
      offset = end - WalkLimits.windowOverlap
    }
    if hashes, !isStopped { reports[current].sha256 = Array(hash.finalize()) }
  }

  private func giveRaw(_ bytes: [UInt8], at offset: Int, _ place: Place) {
    rawBytes += offset == 0 ? bytes.count : max(0, bytes.count - WalkLimits.windowOverlap)
    guard state.walk.rawBytes else { return }
    giveRaw(bytes, place.at(.offset(offset)))
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
