import Foundation

/// What a process wrote to files, in order.
struct Recording {
  enum Event {
    case write(String, Int, Data)
    case truncate(String, Int)
    case sync(String)
    case delete(String)
    /// A statement was answered.
    case mark
  }

  let events: [Event]

  init(_ url: URL) throws {
    let data = try Data(contentsOf: url, options: .alwaysMapped)
    var offset = 0
    func number<Number: FixedWidthInteger>(_: Number.Type) -> Number {
      defer { offset += MemoryLayout<Number>.size }
      return data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
    }
    func bytes(_ count: Int) -> Data {
      defer { offset += count }
      return data[data.startIndex + offset..<data.startIndex + offset + count]
    }
    var events: [Event] = []
    while offset < data.count {
      let kind = number(UInt8.self)
      let path = String(decoding: bytes(Int(number(UInt32.self))), as: UTF8.self)
      let name = URL(fileURLWithPath: path).lastPathComponent
      let place = Int(number(Int64.self))
      let contents = bytes(Int(number(UInt32.self)))
      switch UnicodeScalar(kind) {
      case "w": events.append(.write(name, place, Data(contents)))
      case "t": events.append(.truncate(name, place))
      case "s": events.append(.sync(name))
      case "d": events.append(.delete(name))
      default: events.append(.mark)
      }
    }
    self.events = events
  }

  /// All bytes that were written, by file.
  var written: [String: Data] {
    var written: [String: Data] = [:]
    for case .write(let name, _, let bytes) in events { written[name, default: Data()] += bytes }
    return written
  }

  /// The number of statements that were answered before an event.
  func marks(before index: Int) -> Int {
    events[..<index].reduce(0) { if case .mark = $1 { $0 + 1 } else { $0 } }
  }

  /// Returns the files after a power loss before the event `index`. What was synced is there. Each
  /// part of 512 bytes that was not synced is there or not, by chance.
  func disk(
    lostBefore index: Int, using generator: inout some RandomNumberGenerator
  ) -> [String: Data] {
    var files: [String: Data] = [:]
    for (number, event) in events[..<index].enumerated() {
      switch event {
      case .write(let name, let offset, let bytes):
        let isSafe = isSynced(name, after: number, before: index)
        for start in stride(from: 0, to: bytes.count, by: 512) {
          guard isSafe || Bool.random(using: &generator) else { continue }
          let part = bytes.dropFirst(start).prefix(512)
          files[name, default: Data()].put(part, at: offset + start)
        }
      case .truncate(let name, let size):
        guard isSynced(name, after: number, before: index) || Bool.random(using: &generator)
        else { continue }
        files[name] = files[name]?.prefix(size)
      case .delete(let name): files[name] = nil
      case .sync, .mark: break
      }
    }
    return files
  }

  private func isSynced(_ name: String, after first: Int, before last: Int) -> Bool {
    events[first..<last].contains { if case .sync(name) = $0 { true } else { false } }
  }
}

extension Data {
  fileprivate mutating func put(_ bytes: Data, at offset: Int) {
    if count < offset + bytes.count { append(Data(count: offset + bytes.count - count)) }
    replaceSubrange(startIndex + offset..<startIndex + offset + bytes.count, with: bytes)
  }
}

/// A generator whose numbers are the same in each run.
struct Dice: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
}
