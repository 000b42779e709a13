import AtRestFormats
import Foundation

/// The choice of the reader for each format.
extension FileWalk {
  /// Opens a format and visits its contents.
  ///
  /// - Parameter task: The file, to which other files may belong, or nil for a value in a file.
  func open(_ source: ByteSource, _ type: FileType, _ place: Place, _ task: ListedFile? = nil) {
    guard !isStopped else { return }
    let place =
      task.flatMap { request(of: $0) }.map { place.at(.record($0)) }
      ?? task.flatMap { storedKey(of: $0) }.map { place.at(.record($0), name: $0) } ?? place
    do throws(FormatError) {
      switch type {
      case .empty: if let task, hasLog(task) { try database(source, place, task) }
      case .sqliteWAL where task.map { isAlone($0) } ?? false: try logAlone(source, place)
      case .sqliteWAL, .sqliteJournal, .sqliteSharedMemory: break
      case .sqlite: try database(source, place, task)
      case .binaryPropertyList, .xmlPropertyList, .xml, .json:
        guard source.count <= limits.documentBytes else {
          problem(
            place, "The data is larger than \(limits.documentBytes) bytes and was not parsed.")
          if type != .binaryPropertyList { lines(source, place) }
          return
        }
        let bytes = try source.read(0..<source.count)
        if type == .json, TextForm.isLinesOfJSON(bytes) { return lines(source, place) }
        document(bytes, type, place)
      case .text where try oldList(source, place): break
      case .text, .html: lines(source, place)
      case .zip: try zip(source, place, task)
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
      case .bzip2, .xz, .lzma, .zstd:
        guard let format = PackedStream.Format(rawValue: type.rawValue) else { return }
        let limit = limits.decodedBytesPerFile
        packed(type, place) { each throws(FormatError) in
          try PackedStream.read(
            source, in: 0..<source.count, as: format, limit: limit, each: each)
        }
      case .sevenZip:
        problem(place, "The data is packed with \(type.rawValue), which is not supported.")
      case .binaryCookies: try cookies(source, place)
      case .keyboard: try keyboard(source, place)
      case .realm: try realm(source, place)
      case .levelDBLog, .levelDBTable: try levelDB(source, type, place)
      case .mmkv: try mmkv(source, task.flatMap { state(of: $0) }, place)
      case .hive: try hive(source, place, task)
      case .lmdb: try lmdb(source, place)
      case .segb: try events(source, place)
      case .duckDB: try strings(source, place)
      case .unifiedLog: try unifiedLog(source, place)
      case .machO: try program(source, place)
      case .signedMessage: try profile(source, place)
      case .png, .jpeg, .ktx:
        if task != nil, reports[current].isSnapshot {
          reports[current].pictureSize = try? ImageSize(source)
        }
        try ImageTexts.read(source, type) { name, text in
          value(text[...], place.at(.record(Locator.shortened(name)), name: name))
        }
        try archive(behind: source, place)
      case .webp, .heic, .otherImage, .pdf, .audio, .video, .font:
        try archive(behind: source, place)
      case .unknown:
        if let task, try storeBesideItsState(source, place, task) { return }
        if let task, try logWithoutBeginning(source, place, task) { return }
        unknown(source, place)
      }
    } catch {
      problem(place, error)
    }
  }

  /// Opens a file of unknown type, which may be UTF-16 without a byte order mark, or a message.
  private func unknown(_ source: ByteSource, _ place: Place) {
    guard source.count <= limits.documentBytes, let bytes = try? source.read(0..<source.count)
    else { return }
    if let text = TextForm.utf16(bytes[...]) { return value(text, place.at(.encoding("utf-16"))) }
    if record(bytes[...], place) || headless(bytes[...], place) { return }
    if !message(bytes[...], place) { behindOtherBytes(source, place) }
  }

  /// Opens files that begin behind other bytes, the first of each type.
  private func behindOtherBytes(_ source: ByteSource, _ place: Place) {
    for (type, offset) in EmbeddedFiles.find(in: source) where mayOpen(place) {
      guard let rest = try? ByteSource(source, offset..<source.count) else { continue }
      problem(place, "Data in the format \(type.rawValue) is behind \(offset) other bytes.")
      let inner = place.at(.offset(offset))
      let isPacked = EmbeddedFiles.packed.contains(type)
      open(rest, type, isPacked ? inner : inner.at(.encoding(Self.name(of: type))).inside)
    }
  }

  /// Opens compressed bytes whose format has no magic number. Returns false if they are not
  /// compressed.
  func headless(_ bytes: ArraySlice<UInt8>, _ place: Place) -> Bool {
    guard place.depth < limits.depth,
      let (format, contents) = HeadlessStream.unpack(bytes, limit: decodeLimit),
      countDecoded(contents.count, place)
    else { return false }
    holding(contents.count) { value(contents[...], place.at(.encoding(format)).inside) }
    return true
  }
}
