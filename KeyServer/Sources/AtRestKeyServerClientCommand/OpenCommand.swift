import ArgumentParser
import AtRestCrypto
import AtRestKeyServerClient
import Foundation

/// `atrest-keyserver-client open`.
struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Opens a sealed file, and writes it to standard output.")

  @OptionGroup var folder: DeviceFolder
  @Argument(help: "The file to open.") var input: String
  @Option(help: "The file with the passphrase, or -. Default: asks for it.")
  var passphraseFile: String?

  func run() throws {
    let client = try folder.client()
    guard let sealed = FileManager.default.contents(atPath: input) else {
      throw AtRestError(
        .notFound, "\(input) cannot be read.", remedy: "Check the path and its permissions.")
    }
    let file = try HardenedFile(sealed)
    let passphrase = try SecretFile.line(in: passphraseFile, prompt: "Passphrase: ")
    let key = try client.harden(passphrase, kdf: file.kdf)
    folder.update(client)
    let contents = try file.open(key)
    contents.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = Foundation.write(STDOUT_FILENO, part.baseAddress, part.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }
}
