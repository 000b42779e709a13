import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

/// The samples of the README, in its order.
@Suite struct ReadmeTests {
  @Test func protectAFileFromSwift() throws {
    let folder = try TestFolder()
    let (url, video, sealed) = (folder.path("report"), folder.path("video"), folder.path("sealed"))
    let (keybag, page) = (folder.keybag, Data("page".utf8))
    try folder.unlock()
    try Data("moving pictures".utf8).write(to: video)

    let files = ProtectedFiles(keybag)
    try files.write(Data("report".utf8), to: url, options: .completeFileProtection)
    let report = try files.read(url)
    #expect(report == Data("report".utf8))

    let handle = try files.open(url, for: .updating)
    try handle.write(page, at: 1 << 20)
    try handle.close()
    #expect(try files.read(url).count == (1 << 20) + page.count)

    try files.protect(.file(video), to: .file(sealed))
    #expect(try files.read(sealed) == Data("moving pictures".utf8))
  }
}
