import AtRestFormats
import Foundation

/// Which reader opens which format.
extension FileWalk {
  /// Opens a format and gives what it holds.
  ///
  /// - Parameter task: The file itself, if it is no value within one: it may have others beside it.
  func open(_ source: ByteSource, _ type: FileType, _ place: Place, _ task: FileTask? = nil) {
    guard !isStopped else { return }
    let place = task.flatMap { request(of: $0) }.map { place.at(.record($0)) } ?? place
    do throws(FormatError) {
      switch type {
      case .empty: if let task, hasLog(task) { try database(source, place, task) }
      case .sqliteWAL, .sqliteJournal, .sqliteSharedMemory: break
      case .sqlite: try database(source, place, task)
      case .binaryPropertyList, .xmlPropertyList, .xml, .json:
        guard source.count <= limits.documentBytes else {
          problem(place, "It is larger than \(limits.documentBytes) bytes, and not read as a tree.")
          if type != .binaryPropertyList { lines(source, place) }
          return
        }
        let bytes = try source.read(0..<source.count)
        if type == .json, TextForm.isLinesOfJSON(bytes) { return lines(source, place) }
        document(bytes, type, place)
      case .text where try oldList(source, place): break
      case .text, .html: lines(source, place)
      case .zip: try zip(source, place)
      case .tar: try tar(source, place)
      case .gzip where source.count > Self.indexedSize && heldLeft == limits.heldBytes:
        try indexed(source, place)
      case .gzip, .lz4, .appleLZ4, .lzfse:
        let limit = limits.decodedBytesPerFile
        packed(type, place) { each throws(FormatError) in
          switch type {
          case .gzip: try Gzip.read(source, limit: limit, each: each)
          case .lz4: try LZ4Frame.read(source, limit: limit, each: each)
          default: try AppleBlocks.read(source, limit: limit, each: each)
          }
        }
      case .bzip2, .xz, .sevenZip:
        problem(place, "It is packed by \(type.rawValue), which is not opened.")
      case .binaryCookies: try cookies(source, place)
      case .keyboard: try keyboard(source, place)
      case .realm: try realm(source, place)
      case .machO: try program(source, place)
      case .signedMessage: try profile(source, place)
      case .ktx, .png, .jpeg, .webp, .heic, .otherImage, .pdf, .audio, .video, .font: break
      case .unknown: unknown(source, place)
      }
    } catch {
      problem(place, error)
    }
  }

  /// A file of no known type may be UTF-16 without a mark, or a message.
  private func unknown(_ source: ByteSource, _ place: Place) {
    guard source.count <= limits.documentBytes, let bytes = try? source.read(0..<source.count)
    else { return }
    if let text = TextForm.utf16(bytes[...]) { return value(text, place.at(.encoding("utf-16"))) }
    message(bytes[...], place)
  }
}
