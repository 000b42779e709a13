import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation
import Testing

/// The samples of docs/Files.md for protected files. Between the marks is what the page shows.
@Suite struct FileSamples {
  @Test func protectAFileFromSwift() throws {
    let folder = try TestFolder()
    let (url, video, copy) = (folder.path("report"), folder.path("video"), folder.path("copy"))
    let keybag: Keybag = folder.keybag
    let (text, page) = (Data("report".utf8), Data("page".utf8))
    try folder.unlock()
    try Data("moving pictures".utf8).write(to: video)
    // sample: protect files
    let files = ProtectedFiles(keybag)
    try files.write(text, to: url, options: .completeFileProtection)
    let report = try files.read(url)

    let handle = try files.open(url, for: .updating)  // random access, changes in place
    try handle.write(page, at: 1 << 20)
    try handle.close()

    try files.protect(.file(video), to: .file(copy))  // any size, constant memory
    // sample: end
    #expect(report == text)
    #expect(try files.read(url).count == (1 << 20) + page.count)
    #expect(try files.read(copy) == Data("moving pictures".utf8))
  }

  @Test func protectWithoutAStore() throws {
    let folder = try TestFolder()
    let (plain, copy) = (folder.path("plain"), folder.path("copy"))
    try Data("report".utf8).write(to: plain)
    // sample: protect with a passphrase
    let passphrase = SecretBytes(utf8: "wren under 7 copper kettles")
    let shared = try ProtectedFiles(passphrase: passphrase)
    try shared.protect(.file(plain), to: .file(copy))
    // sample: end
    #expect(try shared.read(copy) == Data("report".utf8))
  }

  @Test func addASecondWayIn() throws {
    let folder = try TestFolder()
    let (plain, copy) = (folder.path("plain"), folder.path("copy"))
    try Data("text".utf8).write(to: plain)
    let keybag = folder.keybag
    let pair = try PrivateKey.generate(.x25519)
    let recoveryKey = pair.publicKey
    // sample: add further readers
    let recovery = try ProtectedFiles(recipients: [recoveryKey])
    let both = ProtectedFiles(keybag).adding(readersOf: recovery)
    try both.protect(.file(plain), to: .file(copy), protection: .complete)
    // sample: end
    #expect(try ProtectedFiles(identity: pair).read(copy) == Data("text".utf8))
    #expect(try ProtectedFiles(keybag).read(copy) == Data("text".utf8))
  }
}
