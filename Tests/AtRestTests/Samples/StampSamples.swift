import AtRest
import Foundation
import Testing

/// The sample of docs/Files.md for files that stay readable. Between the marks is what it shows.
@Suite struct StampSamples {
  @Test func stampAFileAndAFolder() throws {
    try withSampleDevice { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appendingPathComponent("report")
      try Data("report".utf8).write(to: file)
      let keychain = try DefaultKeychain.get()
      let publicKey = try keychain.createKey(.p256, tag: "release")
      // sample: stamp and check
      let stamper = try FileStamper(publicKey: publicKey) { try keychain.sign($0, tag: "release") }
      let stamp = try stamper.stamp(file)  // stamp.encoded can be stored beside the file
      let manifest = try stamper.manifest(of: folder)  // names, kinds, permissions, contents

      let verifier = try FileStampVerifier(publicKey: publicKey)
      try verifier.check(file, against: stamp)  // .damaged: the file or its stamp was modified
      let difference = try verifier.compare(folder, with: manifest)  // added, removed, changed
      // sample: end
      #expect(difference.isUnchanged)
    }
  }
}
