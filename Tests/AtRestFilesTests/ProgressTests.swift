import AtRestCrypto
import AtRestFiles
import Foundation
import Synchronization
import Testing

@Suite struct ProgressTests {
  @Test func everyByteReadIsCounted() throws {
    let folder = try TestFolder()
    try folder.unlock()
    let files = ProtectedFiles(folder.keybag)
    // Enough batches that workers meet.
    let count = 64 << 20
    let protecting = Progress(totalUnitCount: Int64(count))
    try files.protect(
      .data(Data(count: count)), to: .file(folder.path("a")), progress: protecting)
    #expect(protecting.completedUnitCount == Int64(count))
    let verifying = Progress(totalUnitCount: -1)
    let read = try files.verify(folder.path("a"), progress: verifying).read
    #expect(verifying.completedUnitCount > Int64(count))
    #expect(verifying.completedUnitCount <= Int64(read))
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
