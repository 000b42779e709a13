import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

@Suite struct SealRoundTripTests {
  @Test(arguments: SealingMethod.allCases) func aSealHoldsForItsFile(_ method: SealingMethod) throws
  {
    let folder = try SealingFolder()
    let (sealer, verifier, _) = try method.keys()
    let file = try folder.write("file", "contents")
    let seal = try FileSeal(decoding: sealer.seal(file).encoded)
    try verifier.check(file, against: seal)
    #expect(seal.contentSize == 8)
    #expect(seal.form == .detached)
    let other = try folder.write("other", "contentS")
    #expect(sealError { try verifier.check(other, against: seal) }?.code == .damaged)
  }

  @Test func anEmptyFileIsSealed() throws {
    let folder = try SealingFolder()
    let (sealer, verifier, _) = try SealingMethod.hmac.keys()
    let file = try folder.write("file", "")
    let seal = try sealer.seal(file)
    try verifier.check(file, against: seal)
    try sealer.appendSeal(to: file)
    #expect(try verifier.checkAppended(file).contentSize == 0)
    #expect(sealError { try verifier.check(file, against: seal) }?.code == .damaged)
  }

  @Test func manyBuffersAreRead() throws {
    let folder = try SealingFolder()
    let (sealer, verifier, _) = try SealingMethod.hmac.keys()
    var contents = Data(count: 3 << 20 | 17)
    let file = try folder.write("file", contents)
    let progress = Progress(totalUnitCount: 0)
    let seal = try sealer.seal(file, progress: progress)
    #expect(progress.completedUnitCount == Int64(contents.count))
    #expect(progress.totalUnitCount == Int64(contents.count))
    try verifier.check(file, against: seal)
    contents[2 << 20] = 1
    try contents.write(to: file)
    #expect(sealError { try verifier.check(file, against: seal) }?.code == .damaged)
  }

  @Test func aPipeIsSealedAsAFile() throws {
    let folder = try SealingFolder()
    let (sealer, verifier, _) = try SealingMethod.hmac.keys()
    let file = try folder.write("file", "contents")
    func pipe(_ text: String) throws -> FileHandle {
      let pipe = Pipe()
      try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
      try pipe.fileHandleForWriting.close()
      return pipe.fileHandleForReading
    }
    let seal = try sealer.seal(contentsOf: pipe("contents"))
    try verifier.check(file, against: seal)
    try verifier.check(contentsOf: pipe("contents"), against: seal)
    #expect(
      sealError { try verifier.check(contentsOf: pipe("contentS"), against: seal) }?.code
        == .damaged)
  }

  @Test func cancellationEndsTheWork() throws {
    let folder = try SealingFolder()
    let (sealer, _, _) = try SealingMethod.hmac.keys()
    let file = try folder.write("file", "contents")
    let progress = Progress(totalUnitCount: 0)
    progress.cancel()
    #expect(sealError { try sealer.seal(file, progress: progress) }?.code == .canceled)
    #expect(sealError { try sealer.appendSeal(to: file, progress: progress) }?.code == .canceled)
    #expect(
      sealError { try sealer.manifest(of: folder.url, progress: progress) }?.code == .canceled)
    #expect(try folder.names == ["file"])
  }

  @Test func whatIsNoFileIsNotSealed() throws {
    let folder = try SealingFolder()
    let (sealer, _, _) = try SealingMethod.hmac.keys()
    let missing = folder.url.appendingPathComponent("missing")
    #expect(sealError { try sealer.seal(missing) }?.code == .notFound)
    #expect(sealError { try sealer.appendSeal(to: missing) }?.code == .notFound)
    #expect(sealError { try sealer.seal(folder.url) }?.code == .invalidArgument)
    let pipe = folder.url.appendingPathComponent("pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    #expect(sealError { try sealer.seal(pipe) }?.code == .invalidArgument)
  }

  @Test func keysThatCannotSealAreRefused() throws {
    #expect(
      sealError { try FileSealer(hmacKey: SecretBytes.random(count: 15)) }?.code
        == .invalidArgument)
    _ = try FileSealer(hmacKey: SecretBytes.random(count: 16))
    let agreement = try PrivateKey.generate(.x25519).publicKey
    #expect(
      sealError { try FileSealVerifier(publicKey: agreement) }?.code == .invalidArgument)
  }

  @Test func aSignatureOfAnotherKeyIsNotHandedOut() throws {
    let folder = try SealingFolder()
    let file = try folder.write("file", "contents")
    let key = SigningKey(try PrivateKey.generate(.p256))
    let other = try PrivateKey.generate(.p256).publicKey
    let wrong = try FileSealer(publicKey: other) { try key.key.signature(for: $0) }
    #expect(sealError { try wrong.seal(file) }?.code == .invalidArgument)
    let right = try FileSealer(publicKey: key.key.publicKey) { try key.key.signature(for: $0) }
    _ = try right.seal(file)
  }
}
