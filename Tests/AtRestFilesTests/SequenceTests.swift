import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

/// Asynchronous sequences as input and output. A cancelled task leaves nothing behind.
@Suite struct SequenceTests {
  private struct Broken: Error {}

  private static func pieces(_ pieces: [Data], then error: (any Error)? = nil)
    -> AsyncThrowingStream<Data, any Error>
  {
    AsyncThrowingStream { continuation in
      for piece in pieces { continuation.yield(piece) }
      continuation.finish(throwing: error)
    }
  }

  @Test(arguments: [[], [0], [1], [1_024], [1_023, 1, 1], [5_000, 0, 3], [1_024, 1_024]])
  func piecesBecomeAFile(_ counts: [Int]) async throws {
    let folder = try TestFolder()
    let pieces = counts.map { TestFolder.bytes($0) }
    let whole = pieces.reduce(Data(), +)
    try await folder.files.write(Self.pieces(pieces), to: folder.path("a"))
    #expect(try await folder.files.read(folder.path("a")) == whole)
    let bytes = AsyncStream<UInt8> { continuation in
      for byte in whole { continuation.yield(byte) }
      continuation.finish()
    }
    try await folder.files.write(bytes, to: folder.path("b"), protection: .complete)
    let handle = try await folder.files.open(folder.path("b"))
    #expect(try handle.protection() == .complete)
    var back = Data()
    for try await byte in handle.bytes { back.append(byte) }
    #expect(back == whole)
    back = Data()
    for try await piece in handle.pieces(of: 1_000) {
      #expect(piece.count <= 1_000)
      back += piece
    }
    #expect(back == whole)
  }

  @Test func aSequenceThatFailsLeavesWhatWasThere() async throws {
    let folder = try TestFolder()
    try await folder.files.write(Data("old".utf8), to: folder.path("a"))
    await #expect(throws: Broken.self) {
      try await folder.files.write(
        Self.pieces([TestFolder.bytes(5_000)], then: Broken()), to: folder.path("a"))
    }
    #expect(try await folder.files.read(folder.path("a")) == Data("old".utf8))
    #expect(folder.names == ["a"])
    let code = await asyncRefusal {
      try await folder.files.write(Self.pieces([]), to: folder.path("a"), replacing: false)
    }
    #expect(code == .duplicate)
  }

  /// A stream ends when its task is cancelled, as if it were complete.
  @Test(arguments: [false, true]) func aSequenceThatACancellationEndsIsNotWritten(
    _ byByte: Bool
  ) async throws {
    let folder = try TestFolder()
    try await folder.files.write(Data("old".utf8), to: folder.path("a"))
    let (begun, signal) = AsyncStream<Void>.makeStream()
    let files = folder.files
    let path = folder.path("a")
    let task = Task {
      if byByte {
        let (bytes, source) = AsyncStream<UInt8>.makeStream()
        source.yield(1)
        signal.finish()
        try await files.write(bytes, to: path)
      } else {
        let (pieces, source) = AsyncStream<Data>.makeStream()
        source.yield(Data("half".utf8))
        signal.finish()
        try await files.write(pieces, to: path)
      }
    }
    for await _ in begun {}
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await files.read(path) == Data("old".utf8))
    #expect(folder.names == ["a"])
  }

  @Test func aTaskThatIsCancelledAlreadyDoesNothing() async throws {
    let folder = try TestFolder()
    let files = folder.files
    let path = folder.path("a")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await files.protect(.data(Data(count: 100_000)), to: .file(path))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(folder.names == [])
  }
}

/// Like `refusal`, for asynchronous closures.
func asyncRefusal(_ body: () async throws -> Void) async -> AtRestError.Code? {
  do {
    try await body()
    return nil
  } catch {
    return (error as? AtRestError)?.code ?? AtRestError.Code(rawValue: "\(error)")
  }
}
