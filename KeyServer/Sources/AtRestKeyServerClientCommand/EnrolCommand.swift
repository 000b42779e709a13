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
  @Option(help: "A file with this client's certificate, if the server requires one.")
  var certificate: String?
  @Option(help: "The file with the private key of this certificate.") var privateKey: String?
  @Option(help: "A name by which the operator recognises the device.") var label = "device"
  @Option(help: "The file with the code, or - for standard input. Default: asks for it.")
  var codeFile: String?

  func validate() throws {
    guard (certificate == nil) == (privateKey == nil) else {
      throw ValidationError("--certificate and --private-key belong together: give both or none.")
    }
  }

  func run() throws {
    try folder.prepare()
    let code = try SecretFile.line(in: codeFile, prompt: "Code: ")
    let server = DeviceFolder.Server(
      host: host, port: port, trust: Self.absolute(trust),
      certificate: Self.absolute(certificate), privateKey: Self.absolute(privateKey))
    let key = try PrivateKey.generate(.p256)
    let pem = key.pemRepresentation
    // A code is good for one device, and of no use after this call.
    let text = code.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    let client = try KeyServerClient.enrol(
      text, label: label, key: key, transport: server.transport())
    try folder.store(client, key: pem, server)
    ClientCommand.note("Enrolled for the account \(client.identity.account).")
  }

  private static func absolute(_ path: String?) -> String? {
    path.map { URL(fileURLWithPath: $0).path }
  }
}
