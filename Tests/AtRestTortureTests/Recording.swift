import CAtRestTracer
import Foundation

/// The log of a traced program.
struct Recording {
  /// The tracer needs system calls that only Linux has.
  static let isPossible: Bool = {
    #if os(Linux)
      true
    #else
      false
    #endif
  }()

  let events: [FileEvent]
  /// The numbers of the calls that caused the events, as `killAt` counts them. Calls that failed
  /// have numbers too, but no events.
  let calls: [Int]

  /// Runs a program under the tracer, which watches the folder of store and device.
  ///
  /// - Parameters:
  ///   - program: The path and the arguments.
  ///   - killAt: The call at whose beginning the program is killed, counted from 1; 0 means never.
  init(of program: [String], in scratch: Scratch, killAt: Int = 0) throws {
    let log = scratch.folder.deletingLastPathComponent()
      .appendingPathComponent("atrest-record-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: log) }
    let worker = try Worker(
      program: "atrest-torture-worker",
      ["record", scratch.store.path, scratch.device.path, log.path, "\(killAt)"] + program)
    let (lines, signal, status) = worker.finish()
    guard signal == 0, status == 0 else { throw Failure(lines: lines) }
    let records = try Self.parsed(Data(contentsOf: log))
    events = records.map(\.event)
    calls = records.map(\.call)
  }

  struct Failure: Error {
    let lines: [String]
  }

  /// The status with which the program ended, or 128 and the number of the signal.
  var status: Int? {
    if case .ended(let status) = events.last { status } else { nil }
  }

  /// Calls that a log cannot represent. No test should see any.
  var unknown: [String] {
    events.compactMap { if case .unknown(let text) = $0 { text } else { nil } }
  }

  private static func parsed(_ log: Data) throws -> [(event: FileEvent, call: Int)] {
    var records: [(event: FileEvent, call: Int)] = []
    var rest = log[...]
    let size = MemoryLayout<atrest_record>.size
    while !rest.isEmpty {
      guard rest.count >= size else { throw Failure(lines: ["The log is cut off."]) }
      let head = rest.withUnsafeBytes { $0.loadUnaligned(as: atrest_record.self) }
      rest = rest.dropFirst(size)
      let first = Data(rest.prefix(Int(head.first)))
      rest = rest.dropFirst(Int(head.first))
      let second = String(decoding: rest.prefix(Int(head.second)), as: UTF8.self)
      rest = rest.dropFirst(Int(head.second))
      records.append((try event(head, first, second), Int(head.call)))
    }
    return records
  }

  private static func event(
    _ head: atrest_record, _ first: Data, _ second: String
  ) throws -> FileEvent {
    let text = String(decoding: first, as: UTF8.self)
    guard let value = Int(exactly: head.value) else {
      throw Failure(lines: ["The log has the number \(head.value)."])
    }
    switch atrest_record_kind(head.kind) {
    case ATREST_RECORD_CREATE: return .create(file: head.number, path: text, mode: value)
    case ATREST_RECORD_RESIZE: return .resize(file: head.number, size: value)
    case ATREST_RECORD_WRITE: return .write(file: head.number, offset: value, data: first)
    case ATREST_RECORD_FLUSH: return .flush(file: head.number)
    case ATREST_RECORD_FLUSH_FOLDER: return .flushFolder(path: text)
    case ATREST_RECORD_RENAME: return .rename(from: text, to: second)
    case ATREST_RECORD_LINK: return .link(file: head.number, path: text)
    case ATREST_RECORD_UNLINK: return .unlink(path: text)
    case ATREST_RECORD_MAKE_FOLDER: return .makeFolder(path: text)
    case ATREST_RECORD_REMOVE_FOLDER: return .removeFolder(path: text)
    case ATREST_RECORD_SAY: return .said(text)
    case ATREST_RECORD_CUT_SHORT: return .cutShort(text)
    case ATREST_RECORD_END: return .ended(status: value)
    default: return .unknown(text)
    }
  }
}
