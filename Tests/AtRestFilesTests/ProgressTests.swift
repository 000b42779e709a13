import AtRestFiles
import Foundation
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
}
