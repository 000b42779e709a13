import AtRestFormats
import Foundation

/// SQLite: rows, remains of deleted rows, and the tables of known frameworks.
extension FileWalk {
  /// Ends a pass over rows when a limit is reached.
  private struct Stop: Error {}

  /// The maximum number of requests that are kept for a cache.
  private static let requestLimit = 100_000

  func database(_ main: ByteSource, _ place: Place, _ task: ListedFile?) throws(FormatError) {
    try database(
      main, wal: task.flatMap { beside($0, "-wal", place) },
      journal: task.flatMap { beside($0, "-journal", place) }, place)
  }

  private func database(
    _ main: ByteSource, wal: ByteSource?, journal: ByteSource?, _ place: Place
  ) throws(FormatError) {
    let file = try SQLiteFile(main, wal: wal, journal: journal)
    say(file.skipped, place)
    let requests = Self.requests(of: file)
    let sharedKeys = Self.sharedKeys(of: file)
    let contentless = Set(file.tables.filter(\.isContentless).map { $0.name.lowercased() })
    for table in file.tables where !isStopped {
      if table.isContentless {
        problem(
          place.at(.record(Locator.shortened(table.name))),
          "The texts of the table are stored elsewhere. The words of its index are read one by one."
        )
      }
      var rows = Rows(table, requests: requests, sharedKeys: sharedKeys)
      rows.terms = Self.termsVersion(of: table, contentless)
      var count: Int64 = 0
      let visit = { (row: SQLiteRow) throws(Stop) in
        count += 1
        if count % 1024 == 0, !self.isInTime(place) { throw Stop() }
        self.row(row, number: row.rowID ?? count, rows, place)
        if self.isStopped { throw Stop() }
      }
      do throws(Stop) {
        say(try file.forEachRow(of: table, visit), place)
      } catch {
        return
      }
    }
    remnants(of: file, place)
  }

  /// Visits a file that was decrypted. Its values count for the container.
  func walk(_ file: DecryptedFile) {
    isPiece = true
    let place = Place(locator: file.locator, depth: 1)
    reports.append(
      FileReport(locator: place.locator, size: 0, modified: nil, protectionClass: nil))
    do {
      switch file.contents {
      case .database(let main, let wal): try database(main, wal: wal, journal: nil, place)
      case .store(let source, let state): try mmkv(source, state, place)
      case .box(let box, let decrypt): try hive(box, decrypt, place)
      case .file(let source): walk(.random(source), place, nil, expected: source.count)
      case .archive(let tree): walk(tree, place)
      }
    } catch {
      problem(place, error)
    }
  }

  /// Returns true for a write-ahead log without a database.
  func isAlone(_ task: ListedFile) -> Bool {
    let path = task.file.path
    return !path.hasSuffix("-wal") || task.group.file(String(path.dropLast(4))) == nil
  }

  /// Opens a write-ahead log whose database is missing.
  func logAlone(_ source: ByteSource, _ place: Place) throws(FormatError) {
    problem(place, "The database of the write-ahead log is missing.")
    try database(ByteSource([]), wal: source, journal: nil, place)
  }

  /// Returns true if the log of an empty file contains the database.
  func hasLog(_ task: ListedFile) -> Bool {
    (task.group.file(task.file.path + "-wal")?.size ?? 0) > 32
  }

  /// Opens the companion of a file, which has the same name with a suffix.
  private func beside(_ task: ListedFile, _ suffix: String, _ place: Place) -> ByteSource? {
    guard let file = task.group.file(task.file.path + suffix), file.size > 0 else { return nil }
    do throws(FormatError) {
      let (source, unpacked) = try task.group.tree.open(file).source(limit: decodeLimit)
      countDecoded(unpacked, place)
      return source
    } catch {
      problem(place, "The file with \(suffix) was not read: \(error)")
      return nil
    }
  }

  // MARK: Rows

  /// A table, and the roles of its columns.
  private struct Rows {
    let name: String
    let columns: [String]
    /// The index of the column that names the values of its row.
    let key: Int?
    let isWebStorage: Bool
    /// The keys that Couchbase Lite's documents refer to by number.
    let sharedKeys: [String]?
    /// The index of the column that links a row to its request.
    let entry: Int?
    let requests: [Int64: String]
    /// The index of the column with the time of its row.
    let time: Int?
    /// The form of the blocks, if the table is an index of words.
    var terms: FullTextTerms.Version?

    init(_ table: SQLiteTable, requests: [Int64: String], sharedKeys: [String]) {
      name = Locator.shortened(table.name)
      columns = table.columns.map { Locator.shortened($0.name) }
      let lowercase = columns.map { $0.lowercased() }
      key = lowercase.firstIndex(of: "key")
      time = RowTime.column(of: columns)
      isWebStorage = name == "ItemTable"
      self.sharedKeys = name.hasPrefix("kv_") ? sharedKeys : nil
      entry =
        ["cfurl_cache_blob_data", "cfurl_cache_receiver_data"].contains(name)
        ? lowercase.firstIndex(of: "entry_id") : nil
      self.requests = entry == nil ? [:] : requests
    }

    func column(_ index: Int) -> String {
      index < columns.count ? columns[index] : "column \(index + 1)"
    }
  }

  private func row(_ row: SQLiteRow, number: Int64, _ rows: Rows, _ place: Place) {
    let key = rows.key.flatMap { $0 < row.values.count ? row.values[$0].string : nil }
    var request: String?
    if let entry = rows.entry, entry < row.values.count,
      case .integer(let identifier) = row.values[entry]
    {
      request = rows.requests[identifier]
    }
    var place = place
    if let time = rows.time, time < row.values.count {
      place.time = row.values[time]
    }
    for (index, value) in row.values.enumerated() {
      if case .null = value { continue }
      let column = rows.column(index)
      var here = place.at(
        .cell(table: rows.name, row: number, column: column),
        name: index == rows.key ? column : key ?? column)
      if let request, index != rows.entry { here = here.at(.record(request)) }
      cell(value, rows, index, here)
    }
  }

  private func cell(_ value: SQLiteValue, _ rows: Rows, _ index: Int, _ place: Place) {
    switch value {
    case .null: break
    case .integer(let number): give(.text(String(number)), place)
    case .real(let number): give(.text(String(number)), place)
    case .text(let bytes): self.value(utf8: bytes, place)
    case .blob(let bytes):
      if rows.isWebStorage, bytes.count.isMultiple(of: 2), index != rows.key {
        let text = TextForm.utf16(bytes, isBigEndian: false)
        self.value(text, place.at(.encoding("utf-16")))
      } else if let keys = rows.sharedKeys, fleece(bytes, sharedKeys: keys, place) {
        return
      } else if let version = rows.terms {
        words(bytes, version, place)
      } else {
        self.value(bytes, place)
      }
    }
  }

  // MARK: Caches

  /// The request whose response is a file in `fsCachedData`, according to the `Cache.db` of its
  /// folder.
  func request(of task: ListedFile) -> String? {
    let parts = task.file.path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[parts.count - 2] == "fsCachedData", let name = parts.last else {
      return nil
    }
    let cache = (parts.dropLast(2) + ["Cache.db"]).joined(separator: "/")
    guard let file = task.group.file(cache) else { return nil }
    let requests = task.group.requests(of: cache) {
      guard case .random(let source)? = try? task.group.tree.open(file) else { return [:] }
      let place = Place(locator: task.group.locator(of: file), depth: 0)
      let wal = beside(ListedFile(file: file, group: task.group), "-wal", place)
      guard let database = try? SQLiteFile(source, wal: wal) else { return [:] }
      return Self.storedRequests(of: database)
    }
    return requests[String(name)]
  }

  /// The request URLs of a `Cache.db`, by row.
  private static func requests(of file: SQLiteFile) -> [Int64: String] {
    guard let table = file.table("cfurl_cache_response"),
      let entry = table.columns.firstIndex(where: { $0.name.lowercased() == "entry_id" }),
      let key = table.columns.firstIndex(where: { $0.name.lowercased() == "request_key" })
    else { return [:] }
    var requests: [Int64: String] = [:]
    _ = try? file.forEachRow(of: table) { row throws(Stop) in
      guard requests.count < requestLimit else { throw Stop() }
      guard max(entry, key) < row.values.count, case .integer(let number) = row.values[entry],
        let address = row.values[key].string
      else { return }
      requests[number] = Locator.shortened(address)
    }
    return requests
  }

  /// The request URLs whose responses are stored in separate files, by the name of the file.
  private static func storedRequests(of file: SQLiteFile) -> [String: String] {
    guard let table = file.table("cfurl_cache_receiver_data") else { return [:] }
    let columns = table.columns.map { $0.name.lowercased() }
    guard let entry = columns.firstIndex(of: "entry_id"),
      let data = columns.firstIndex(of: "receiver_data"),
      let isFile = columns.firstIndex(of: "isdataonfs")
    else { return [:] }
    let requests = requests(of: file)
    var names: [String: String] = [:]
    _ = try? file.forEachRow(of: table) { row throws(Stop) in
      guard names.count < requestLimit else { throw Stop() }
      guard max(entry, data, isFile) < row.values.count,
        case .integer(let number) = row.values[entry], case .integer(1) = row.values[isFile],
        let request = requests[number]
      else { return }
      switch row.values[data] {
      case .text(let name), .blob(let name): names[String(decoding: name, as: UTF8.self)] = request
      default: break
      }
    }
    return names
  }

  // MARK: Remnants

  private func remnants(of file: SQLiteFile, _ place: Place) {
    let columns = Dictionary(
      file.tables.map { ($0.name, $0.columns.map(\.name)) }, uniquingKeysWith: { first, _ in first }
    )
    let contentless = Set(file.tables.filter(\.isContentless).map { $0.name.lowercased() })
    let versions = Dictionary(
      file.tables.compactMap { table in
        Self.termsVersion(of: table, contentless).map { (table.name, $0) }
      }, uniquingKeysWith: { first, _ in first })
    let visit = { (remnant: SQLiteRemnant) throws(Stop) in
      guard self.isInTime(place) else { throw Stop() }
      var here = place
      here.state = .deleted
      if remnant.file != .database { here = here.at(.record(remnant.file.rawValue)) }
      self.giveRaw(
        Array(remnant.bytes), here.at(.deleted(page: remnant.page, offset: remnant.offset)))
      for record in remnant.records {
        let table = record.tables.count == 1 ? record.tables[0] : nil
        let spot = here.at(.deleted(page: remnant.page, offset: record.offset))
        for (index, value) in record.values.enumerated() {
          let names = table.flatMap { columns[$0] } ?? []
          let name = index < names.count ? names[index] : nil
          let column = name ?? "column \(index + 1)"
          let path = table.map { "\($0).\(column)" } ?? column
          let inner = spot.at(.keyPath(Locator.shortened(path)), name: name)
          if case .blob(let block) = value, let version = table.flatMap({ versions[$0] }) {
            self.words(block, version, inner)
          } else {
            self.remnant(value, inner)
          }
        }
      }
    }
    do throws(Stop) {
      say(try file.forEachRemnant(visit), place)
    } catch {}
  }

  private func remnant(_ value: SQLiteValue, _ place: Place) {
    switch value {
    case .null: break
    case .integer(let number): give(.text(String(number)), place)
    case .real(let number): give(.text(String(number)), place)
    case .text(let bytes): self.value(utf8: bytes, place)
    case .blob(let bytes): self.value(bytes, place)
    }
  }
}
