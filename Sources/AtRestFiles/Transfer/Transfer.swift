import AtRestCrypto
import CAtRestSystem
import Foundation
import Synchronization

/// Copies bytes from an input to an output in batches of chunks, on several cores: while one worker
/// reads or writes, another seals or opens.
///
/// Memory is constant, less than 1 MiB per worker.
final class Transfer: Sendable {
  enum Input: Sendable {
    case memory(Region)
    case regular(OpenFile, start: UInt64, count: UInt64)
    case stream(OpenFile)
  }

  enum Output: Sendable {
    case memory(Region)
    case regular(OpenFile, start: UInt64)
    case stream(OpenFile)
    case nowhere
  }

  /// Memory that outlives the transfer.
  struct Region: @unchecked Sendable {
    // Workers access parts of it that do not overlap.
    let bytes: UnsafeMutableRawBufferPointer
  }

  /// A batch that a worker is processing.
  struct Batch {
    let index: Int
    let isLast: Bool
    /// The input, with headroom before it for ``ChunkCipher``.
    let input: UnsafeMutableRawBufferPointer
    let output: UnsafeMutableRawBufferPointer
  }

  private struct Claims {
    var next = 0
    var isAtEnd = false
    var failure: (any Error)?
    /// The number of batches that were written to an output stream, in order.
    var written = 0
    var inputCount: UInt64 = 0
    var outputCount: UInt64 = 0
  }

  private static let maximumWorkers = 4
  /// The number of batches after which the system is told to start writing to disk.
  private static let flushed = 16
  private let input: Input
  private let output: Output
  private let inputSize: Int
  private let outputSize: Int
  private let meter: ProgressMeter
  private let claims = Mutex(Claims())
  /// A byte read ahead from an input stream, to detect the stream's end. The mutex is held while a
  /// worker waits for the stream.
  private let ahead = Mutex<UInt8?>(nil)
  private let turn = NSCondition()

  /// - Parameters:
  ///   - inputSize: The size of a batch of input in bytes.
  ///   - outputSize: The size of a batch of output in bytes.
  ///   - meter: Counts input bytes. If its progress is cancelled, the transfer ends.
  init(
    from input: Input, to output: Output, inputSize: Int, outputSize: Int, meter: ProgressMeter
  ) {
    self.input = input
    self.output = output
    self.inputSize = inputSize
    self.outputSize = outputSize
    self.meter = meter
  }

  /// Runs the transfer.
  ///
  /// - Parameter work: Converts a batch's input into its output, and returns the size of the
  ///   output.
  /// - Returns: The number of bytes of input and output.
  /// - Throws: The first error of `work`, input or output; ``AtRestError/Code/canceled``. Bytes
  ///   that were already written to a stream stay there.
  func run(
    _ work: @escaping @Sendable (Batch) throws -> Int
  ) throws -> (input: UInt64, output: UInt64) {
    var workers = min(ProcessInfo.processInfo.activeProcessorCount, Self.maximumWorkers)
    var room = inputSize
    if let count = knownCount {
      workers = min(workers, Int(max(1, (count - 1) / UInt64(inputSize) + 1)))
      room = Int(min(UInt64(inputSize), count))
    }
    let size = room
    if workers == 1 {
      worker(size, work)
    } else {
      DispatchQueue.concurrentPerform(iterations: workers) { _ in worker(size, work) }
    }
    // Ctrl-C may also have ended the program that writes to the input pipe, so an early end of the
    // input must not count as success.
    try meter.check()
    return try claims.withLock { claims in
      if let failure = claims.failure { throw failure }
      return (claims.inputCount, claims.outputCount)
    }
  }

  private var knownCount: UInt64? {
    switch input {
    case .memory(let region): max(1, UInt64(region.bytes.count))
    case .regular(_, _, let count): max(1, count)
    case .stream: nil
    }
  }

  private func worker(_ room: Int, _ work: (Batch) throws -> Int) {
    let headroom = ChunkCipher.headroom
    let input = UnsafeMutableRawBufferPointer.allocate(
      byteCount: headroom + room, alignment: 64)
    let output = UnsafeMutableRawBufferPointer.allocate(
      byteCount: room + (outputSize > inputSize ? outputSize - inputSize : 0), alignment: 64)
    defer {
      // One of the two held plaintext.
      atrest_erase(input.baseAddress!, input.count)
      atrest_erase(output.baseAddress!, output.count)
      input.deallocate()
      output.deallocate()
    }
    let body = UnsafeMutableRawBufferPointer(rebasing: input[headroom...])
    do {
      while let (index, count, isLast) = try claim(body) {
        let filled = UnsafeMutableRawBufferPointer(rebasing: input[..<(headroom + count)])
        let made = try work(
          Batch(index: index, isLast: isLast, input: filled, output: output))
        try write(UnsafeRawBufferPointer(rebasing: output[..<made]), index)
        claims.withLock {
          $0.inputCount += UInt64(count)
          $0.outputCount += UInt64(made)
        }
        meter.add(count)
        if isLast { return }
      }
    } catch {
      claims.withLock { if $0.failure == nil { $0.failure = error } }
      turn.lock()
      turn.broadcast()
      turn.unlock()
    }
  }

  // MARK: Input

  private func claim(
    _ bytes: UnsafeMutableRawBufferPointer
  ) throws -> (index: Int, count: Int, isLast: Bool)? {
    try meter.check()
    switch input {
    case .stream(let file):
      return try ahead.withLock { ahead in
        guard claims.withLock({ !$0.isAtEnd && $0.failure == nil }) else { return nil }
        return try read(file, bytes, &ahead)
      }
    case .memory(let region):
      guard let place = next(of: UInt64(region.bytes.count)) else { return nil }
      let begin = place.index * inputSize
      bytes.copyPlaintext(
        from: UnsafeRawBufferPointer(rebasing: region.bytes[begin..<begin + place.count]))
      return place
    case .regular(let file, let start, let count):
      guard let place = next(of: count) else { return nil }
      let got = try file.read(
        UnsafeMutableRawBufferPointer(rebasing: bytes[..<place.count]),
        at: start + UInt64(place.index) * UInt64(inputSize))
      guard got == place.count else { throw PathError.changedMeanwhile(file.path) }
      return place
    }
  }

  private func next(of total: UInt64) -> (index: Int, count: Int, isLast: Bool)? {
    claims.withLock { claims in
      guard !claims.isAtEnd, claims.failure == nil else { return nil }
      let index = claims.next
      let begin = UInt64(index) * UInt64(inputSize)
      let count = Int(min(UInt64(inputSize), total - begin))
      claims.next += 1
      claims.isAtEnd = begin + UInt64(count) == total
      return (index, count, claims.isAtEnd)
    }
  }

  private func read(
    _ file: OpenFile, _ bytes: UnsafeMutableRawBufferPointer, _ ahead: inout UInt8?
  ) throws -> (index: Int, count: Int, isLast: Bool) {
    var count = 0
    if let byte = ahead {
      bytes[0] = byte
      count = 1
      ahead = nil
    }
    count += try file.readNext(UnsafeMutableRawBufferPointer(rebasing: bytes[count...]))
    if count == bytes.count {
      var byte: UInt8 = 0
      if try withUnsafeMutableBytes(of: &byte, { try file.readNext($0) }) == 1 { ahead = byte }
    }
    let isLast = ahead == nil
    return claims.withLock { claims in
      claims.isAtEnd = isLast
      defer { claims.next += 1 }
      return (claims.next, count, isLast)
    }
  }

  // MARK: Output

  private func write(_ bytes: UnsafeRawBufferPointer, _ index: Int) throws {
    switch output {
    case .nowhere: return
    case .memory(let region):
      let begin = index * outputSize
      UnsafeMutableRawBufferPointer(rebasing: region.bytes[begin..<begin + bytes.count])
        .copyPlaintext(from: bytes)
    case .regular(let file, let start):
      let offset = start + UInt64(index) * UInt64(outputSize)
      try file.write(bytes, at: offset)
      // The disk starts writing while later batches are processed. Each call has a cost, so one
      // call covers several batches.
      if index % Self.flushed == Self.flushed - 1 {
        let count = Self.flushed * outputSize
        file.startFlush(at: offset + UInt64(bytes.count) - UInt64(count), count: count)
      }
    case .stream(let file):
      turn.lock()
      defer { turn.unlock() }
      while true {
        let (isMine, failed) = claims.withLock { ($0.written == index, $0.failure != nil) }
        if failed { return }
        if isMine { break }
        turn.wait()
      }
      try file.writeNext(bytes)
      claims.withLock { $0.written += 1 }
      turn.broadcast()
    }
  }
}
