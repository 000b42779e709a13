import AtRest
import Foundation
import Testing

@Suite struct LargeValueTests {
  private func bytes(_ count: Int, _ first: UInt8 = 1) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) &+ first })
  }

  @Test(arguments: [0, 1, 16_384, 16_385, 300_000])
  func givesBackAnySize(count: Int) throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store(bytes(count), in: .report)
    #expect(try eva.value(in: .report) == bytes(count))
    #expect(test.valueFiles.count == (count > 16_384 ? 1 : 0))
    #expect(try eva.contents.first?.size == UInt64(count))
  }

  @Test func movesAValueThatOutgrowsTheKeychainAndBack() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    for (count, files) in [(10, 0), (20_000, 1), (30_000, 1), (10, 0), (20_000, 1)] {
      try eva.store(bytes(count), in: .report)
      #expect(test.valueFiles.count == files)
      #expect(try eva.value(in: .report) == bytes(count))
    }
    try eva.remove(VaultRecord<Data>.report)
    #expect(test.valueFiles.isEmpty)
  }

  @Test func takesAFile() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let source = test.folder.appendingPathComponent("scan.jpeg")
    try bytes(70_000).write(to: source)
    #expect(try eva.store(.file(source), in: .report) == 70_000)
    let handle = try eva.open(.report)
    #expect(try handle.read(upToCount: 10, at: 60_000) == bytes(70_000)[60_000..<60_010])
    let copy = test.folder.appendingPathComponent("copy.jpeg")
    try eva.copy(.report, to: .file(copy))
    #expect(try Data(contentsOf: copy) == bytes(70_000))
  }

  @Test func takesPiecesAsTheyCome() async throws {
    let test = try TestVault()
    let eva = try await test.open().logIn("eva")
    let pieces = AsyncStream<Data> { stream in
      for number in 0..<5 { stream.yield(bytes(9_000, UInt8(number))) }
      stream.finish()
    }
    try await eva.store(pieces: pieces, in: .report)
    #expect(try eva.contents.first?.size == 45_000)
    var read = Data()
    for try await piece in try eva.open(.report).pieces() { read.append(piece) }
    #expect(read == (0..<5).reduce(Data()) { $0 + bytes(9_000, UInt8($1)) })
  }

  @Test func leavesTheValueBeforeWhereAStreamFails() async throws {
    struct Failure: Error {}
    let test = try TestVault()
    let eva = try await test.open().logIn("eva")
    try await eva.store(bytes(20_000), in: .report)
    let pieces = AsyncThrowingStream<Data, any Error> { stream in
      stream.yield(bytes(9_000))
      stream.finish(throwing: Failure())
    }
    await #expect(throws: Failure.self) { try await eva.store(pieces: pieces, in: .report) }
    #expect(try await eva.value(in: .report) == bytes(20_000))
    #expect(test.valueFiles.count == 1)
  }

  @Test func refusesASecretTooLargeForTheKeychain() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let long = String(repeating: "x", count: 16_385)
    expect(.invalidArgument) { try eva.store(long, in: .session) }
    #expect(test.valueFiles.isEmpty)
  }

  @Test func findsAChangedFileDamaged() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store(bytes(20_000), in: .report)
    let file = test.folder.appendingPathComponent("values/\(test.valueFiles[0])")
    var contents = try Data(contentsOf: file)
    contents[contents.count - 100] ^= 1
    try contents.write(to: file)
    expect(.damaged) { _ = try eva.value(in: .report) }
    try FileManager.default.removeItem(at: file)
    expect(.damaged) { _ = try eva.value(in: .report) }
  }

  @Test func findsAnOlderFileInThePlaceOfTheNewDamaged() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store(bytes(20_000), in: .report)
    let old = try Data(
      contentsOf: test.folder.appendingPathComponent("values/\(test.valueFiles[0])"))
    try eva.store(bytes(20_000, 9), in: .report)
    let file = test.folder.appendingPathComponent("values/\(test.valueFiles[0])")
    #expect(try eva.value(in: .report) == bytes(20_000, 9))
    try old.write(to: file)
    #expect(throws: AtRestError.self) { _ = try eva.value(in: .report) }
  }
}
