import ArgumentParser
import AtRestCrypto
import AtRestKeyServerClient
import Foundation

/// `atrest-keyserver-client enrol`.
struct EnrolCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enrol", abstract: "Enrols this device with a code from the operator.")

  @OptionGroup var folder: DeviceFolder
  @Option(help: "The server's name, which its certificate must have.") var host: String
  @Option(help: "The server's port.") var port = 8443
  @Option(help: "A file with the certificates to trust. Default: the system's.") var trust: String?
  @Option(help: "A name by which the operator recognises the device.") var label = "device"
  @Option(help: "The file with the code, or - for standard input. Default: asks for it.")
  var codeFile: String?

  func run() throws {
    try folder.prepare()
    let code = try SecretFile.line(in: codeFile, prompt: "Code: ")
    let server = DeviceFolder.Server(
      host: host, port: port, trust: trust.map { URL(fileURLWithPath: $0).path })
    let key = try PrivateKey.generate(.p256)
    let pem = key.pemRepresentation
    // A code is good for one device, and of no use after this call.
    let text = code.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    let client = try KeyServerClient.enrol(
      text, label: label, key: key, transport: server.transport())
    try folder.store(client, key: pem, server)
    ClientCommand.note("Enrolled for the account \(client.identity.account).")
  }
}
