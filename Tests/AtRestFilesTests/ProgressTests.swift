import AtRestCrypto
import AtRestFiles
import Foundation
import Synchronization
import Testing

/// Progress counts the bytes read, and ends the work when it is cancelled.
@Suite struct ProgressTests {
  private static let size = 6_000_000

  @Test func everyByteIsCounted() throws {
    let folder = try TestFolder()
    let files = ProtectedFiles(folder.keybag)
    // Several workers add at once; repeat this to see that nothing is lost.
    for _ in 0..<5 {
      let progress = Progress(totalUnitCount: Int64(Self.size))
      let counts = try files.protect(
        .data(Data(count: Self.size)), to: .file(folder.path("a"), replacing: true),
        progress: progress)
      #expect(progress.completedUnitCount == Int64(Self.size) && progress.isFinished)
      #expect(counts.read == UInt64(Self.size))
      let stored = try folder.stored("a").count
      #expect(counts.written == UInt64(stored))
      let back = Progress(totalUnitCount: Int64(stored))
      #expect(try files.verify(folder.path("a"), progress: back).written == UInt64(Self.size))
      #expect(back.completedUnitCount == Int64(stored) - 256)
    }
  }

  @Test func aCancelledProgressLeavesNothing() throws {
    let folder = try TestFolder()
    try folder.files.write(TestFolder.bytes(3_000), to: folder.path("a"))
    let progress = Progress(totalUnitCount: -1)
    progress.cancel()
    #expect(
      refusal {
        try folder.files.protect(
          .data(Data(count: 10)), to: .file(folder.path("b")), progress: progress)
      } == .canceled)
    #expect(
      refusal {
        try folder.files.unprotect(
          .file(folder.path("a")), to: .file(folder.path("b")), progress: progress)
      } == .canceled)
    #expect(refusal { try folder.files.verify(folder.path("a"), progress: progress) } == .canceled)
    #expect(folder.names == ["a"])
  }

  /// The work is cancelled while bytes still arrive: the pipe delivers the rest only after that.
  @Test func aCancellationInTheMiddleLeavesNothing() throws {
    let folder = try TestFolder()
    let pipe = Pipe()
    let progress = Progress(totalUnitCount: -1)
    let writer = pipe.fileHandleForWriting
    Thread {
      try? writer.write(contentsOf: Data(count: 3 << 20))
      progress.cancel()
      try? writer.write(contentsOf: Data(count: 4 << 20))
      try? writer.close()
    }.start()
    #expect(
      refusal {
        try ProtectedFiles(folder.keybag).protect(
          .descriptor(pipe.fileHandleForReading.fileDescriptor), to: .file(folder.path("a")),
          progress: progress)
      } == .canceled)
    #expect(folder.names == [])
    // Lets the thread end.
    _ = pipe.fileHandleForReading.readDataToEndOfFile()
  }

  @Test(arguments: [false, true]) func anInputThatEndsAfterTheCancellation(
    _ isCancelled: Bool
  ) throws {
    let folder = try TestFolder()
    try folder.unlock()
    let files = ProtectedFiles(folder.keybag)
    let place = folder.path("a")
    let pipe = Pipe()
    let progress = Progress(totalUnitCount: -1)
    let done = DispatchQueue(label: "test")
    let result = Mutex<AtRestError.Code?>(nil)
    done.async {
      let code = refusal {
        try files.protect(
          .descriptor(pipe.fileHandleForReading.fileDescriptor), to: .file(place),
          progress: progress)
      }
      result.withLock { $0 = code }
    }
    pipe.fileHandleForWriting.write(Data(count: (2 << 20) + 1))
    if isCancelled { progress.cancel() }
    try pipe.fileHandleForWriting.close()
    done.sync {}
    #expect(result.withLock { $0 } == (isCancelled ? .canceled : nil))
    #expect(folder.names == (isCancelled ? [] : ["a"]))
  }
}
