import AtRestFormats

/// Stores of keys and values, and streams of events.
extension FileWalk {
  // MARK: LevelDB

  /// - Parameter start: The offset of the first record of a log.
  func levelDB(
    _ source: ByteSource, _ type: FileType, from start: Int = 0, _ place: Place
  ) throws(FormatError) {
    let visit = { (record: LevelDBRecord) in
      guard !self.isStopped else { return }
      let key = ReadableKey(record.key)
      var here = place.at(.record(Locator.shortened(key.text)))
      here.name = key.name
      if record.isReplaced { here.state = .deleted }
      if IndexedDBKey.isUndo(record.key) {
        self.giveRaw(record.value ?? [], here)
        return
      }
      if key.isText {
        self.give(key: key.text, here)
      } else {
        self.give(.bytes(record.key), here.at(.record("key")))
      }
      if let value = record.value { self.stored(value, here) }
    }
    let limit = limits.decodedBytesPerFile
    say(
      type == .levelDBLog
        ? try LevelDBLog.read(source, path: "", from: start, each: visit)
        : try LevelDBTable.read(source, limit: limit, path: "", each: visit),
      place)
  }

  /// Opens a log that lost its beginning. Returns false for any other file.
  func logWithoutBeginning(
    _ source: ByteSource, _ place: Place, _ task: ListedFile
  ) throws(FormatError) -> Bool {
    // Each offset is tried, which takes too long for files of other kinds.
    guard task.file.path.hasSuffix(".log"), let start = LevelDBLog.firstRecord(source) else {
      return false
    }
    reports[current].type = .levelDBLog
    try levelDB(source, .levelDBLog, from: start, place)
    return true
  }

  /// Visits a value. In Chromium's Local Storage, a first byte says whether Latin-1 or UTF-16 follows.
  private func stored(_ bytes: [UInt8], _ place: Place) {
    guard countDecoded(bytes.count, place) else { return }
    let rest = bytes.dropFirst()
    if bytes.first == 1, rest.prefix(4096).withUnsafeBufferPointer(ASCII.isText) {
      let isASCII = rest.allSatisfy { $0 < 0x80 }
      let text = isASCII ? Array(rest) : rest.flatMap { Array(String(UnicodeScalar($0)).utf8) }
      value(utf8: text[...], place)
    } else if bytes.first == 0, let text = TextForm.utf16(rest) {
      value(text, place.at(.encoding("utf-16")))
    } else {
      value(bytes[...], place)
    }
  }

  // MARK: Biome

  func events(_ source: ByteSource, _ place: Place) throws(FormatError) {
    let skipped = try SEGBFile.read(source, path: "") { record in
      guard !isStopped else { return }
      var here = place.at(.offset(record.offset))
      if record.isDeleted { here.state = .deleted }
      let head = Array(record.data.prefix(FileType.headLength))
      guard FileType.read(head, isWhole: head.count == record.data.count) == .unknown else {
        return value(record.data[...], here)
      }
      give(.bytes(record.data), here)
      message(record.data[...], here, isExpected: true)
    }
    say(skipped, place)
  }
}
