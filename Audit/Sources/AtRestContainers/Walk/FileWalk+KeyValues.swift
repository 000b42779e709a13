import AtRestFormats

/// Stores of keys and values of mobile apps: MMKV, Hive, LMDB and MDBX.
extension FileWalk {
  // MARK: MMKV

  /// The file beside a store of MMKV.
  func state(of task: ListedFile) -> MMKVState? {
    guard let file = task.group.file(task.file.path + ".crc"), file.size > 0,
      let source = try? task.group.tree.open(file).source(limit: decodeLimit).source
    else { return nil }
    return MMKVState(source)
  }

  /// Opens a store that is recognised by the file beside it. Returns false for any other file.
  func storeBesideItsState(
    _ source: ByteSource, _ place: Place, _ task: ListedFile
  ) throws(FormatError) -> Bool {
    guard let state = state(of: task) else { return false }
    if MMKVStore.isStore(source, state) {
      reports[current].type = .mmkv
      try mmkv(source, state, place)
    } else if try MMKVStore.isEncrypted(source, state) {
      reports[current].type = .mmkv
      markEncrypted(task, state)
    } else {
      return false
    }
    return true
  }

  func mmkv(_ source: ByteSource, _ state: MMKVState?, _ place: Place) throws(FormatError) {
    try reading(place) { () throws(FormatError) in
      try MMKVStore.read(source, state, path: "") { record throws(FormatError) in
        try keepReading(place)
        var here = place.at(.record(Locator.shortened(record.key)), name: record.key)
        if record.isReplaced { here.state = .deleted }
        give(key: record.key, here)
        guard let bytes = record.value else { return }
        switch MMKVRecord.content(of: bytes, expires: state?.expires ?? false) {
        case .data(let data): value(data, here)
        case .list(let texts):
          for (index, text) in texts.enumerated() {
            value(utf8: text, here.at(.keyPath(Locator.keyPath("", index))))
          }
        case .numbers(let numbers): for number in numbers { give(.text(number), here) }
        }
      }
    }
  }

  /// Notes that the contents of a file are encrypted, and the file if keys may be tried on it later.
  func markEncrypted(_ task: ListedFile, _ state: MMKVState? = nil) {
    reports[current].isEncryptedWithin = true
    reports[current].storeState = state
    if task.group.depth <= 1 { reports[current].listed = task }
  }

  // MARK: Hive

  func hive(_ source: ByteSource, _ place: Place, _ task: ListedFile?) throws(FormatError) {
    guard let box = HiveBox(source) else { return }
    if let task, box.isEncrypted { markEncrypted(task) }
    try hive(box, nil, place)
  }

  /// Visits the values of a box.
  ///
  /// - Parameter decrypt: Decrypts a value, or returns nil if it is damaged.
  func hive(
    _ box: HiveBox, _ decrypt: (([UInt8]) -> [UInt8]?)?, _ place: Place
  ) throws(FormatError) {
    let isClosed = decrypt == nil && box.isEncrypted
    try reading(place) { () throws(FormatError) in
      try box.read(path: "") { record throws(FormatError) in
        try keepReading(place)
        var here = place.at(.record(Locator.shortened(record.key)), name: record.key)
        if record.isReplaced { here.state = .deleted }
        give(key: record.key, here)
        guard let stored = record.value else { return }
        let bytes = decrypt.flatMap { $0(stored) } ?? stored
        if !isClosed, let root = HiveValue.read(bytes) {
          node(root, path: "", here)
        } else {
          give(.bytes(bytes), here)
        }
      }
    }
  }

  // MARK: LMDB

  func lmdb(_ source: ByteSource, _ place: Place) throws(FormatError) {
    try reading(place) { () throws(FormatError) in
      try LMDBFile.read(source, path: "") { record throws(FormatError) in
        try keepReading(place)
        let key = ReadableKey(record.key)
        var here = place
        if record.isDeleted {
          here = here.at(.deleted(page: record.page, offset: record.offset))
          here.state = .deleted
        }
        if let table = record.table {
          here = here.at(.record(Locator.shortened(ReadableKey(table).text)))
        }
        here = here.at(.record(Locator.shortened(key.text)), name: key.name)
        if key.isText {
          give(key: key.text, here)
        } else {
          give(.bytes(record.key), here.at(.record("key")))
        }
        if !record.isTable { value(record.value[...], here) }
      } remnant: { remnant throws(FormatError) in
        try keepReading(place)
        var here = place.at(.deleted(page: remnant.page, offset: remnant.offset))
        here.state = .deleted
        giveRaw(remnant.bytes, here)
      }
    }
  }

  // MARK: Limits

  /// Ends the reading of a store when a limit is reached, which the walk has reported then.
  private func keepReading(_ place: Place) throws(FormatError) {
    guard isInTime(place) else { throw FormatError("The store was not read to its end.") }
  }

  /// Reads a store, as far as the limits allow.
  ///
  /// - Parameter read: Returns the parts that could not be read.
  private func reading(
    _ place: Place, _ read: () throws(FormatError) -> [Skip]
  ) throws(FormatError) {
    do throws(FormatError) {
      say(try read(), place)
    } catch {
      if !isStopped { throw error }
    }
  }
}
