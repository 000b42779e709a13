import Foundation

extension MaskingCase {
  /// Secrets in interface files, data models and key files.
  static let others: [MaskingCase] = [
    .init(
      "text of a field", "hardcoded-credential", "Login.xib",
      ResourceSamples.xib(
        outlets: ["passwordField": "f"],
        ResourceSamples.field("f", "text=\"\(secret)\"", traits: "secureTextEntry=\"YES\"")),
      name: "passwordField"),
    .init(
      "text of a field with entities", "hardcoded-credential", "Main.storyboard",
      ResourceSamples.xib(
        outlets: ["passwordField": "f"],
        ResourceSamples.field("f", "text=\"&#88;k7dUe9Rq8TTwz42\"")),
      name: "passwordField"),
    .init(
      "text of a field in an element", "hardcoded-credential", "Login.xib",
      ResourceSamples.xib(
        outlets: ["passwordField": "f"],
        """
        <textField id="f">
        <string key="text">\(secret)</string><rect key="frame" width="200" height="30"/>
        </textField>
        """), name: "passwordField"),
    .init(
      "attributed text of a field", "hardcoded-credential", "Login.xib",
      ResourceSamples.xib(
        outlets: ["passwordField": "f"],
        """
        <textField id="f"><attributedString key="attributedText">
        <fragment content="Xk7dUe9R"/><fragment content="q8TTwz42"/></attributedString></textField>
        """), name: "passwordField", hidden: ["Xk7dUe9R", "q8TTwz42"]),
    .init(
      "text of a field of AppKit", "hardcoded-credential", "Login.xib",
      ResourceSamples.xib(
        outlets: ["passwordField": "f"], runtime: "MacOSX.Cocoa",
        """
        <secureTextField id="f"><secureTextFieldCell key="cell" editable="YES" title="\(secret)"/>
        </secureTextField>
        """)),
    .init(
      "default value of an attribute", "core-data-sensitive-attribute",
      "Model.xcdatamodel/contents",
      ResourceSamples.model(
        "<attribute name=\"password\" attributeType=\"String\" defaultValueString=\"\(secret)\"/>"),
      name: "password"),
    .init(
      "private key file", "bundled-key-file", "client.pem",
      "-----BEGIN PRIVATE KEY-----\n\(secret)\n\(other)\n-----END PRIVATE KEY-----\n",
      hidden: [secret, other]),
    .init(
      "private key file after a certificate", "bundled-key-file", "client.pem",
      "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
        + "-----BEGIN EC PRIVATE KEY-----\n\(secret)\n-----END EC PRIVATE KEY-----\n"
        + "-----BEGIN EC PRIVATE KEY-----\n\(other)\n-----END EC PRIVATE KEY-----\n",
      hidden: [secret, other]),
    .init(
      "private key file with CR", "bundled-key-file", "client.pem",
      "-----BEGIN PRIVATE KEY-----\r\(secret)\r-----END PRIVATE KEY-----\r"),
    .init(
      "encrypted private key file", "bundled-key-file", "client.pem",
      "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n\(secret)\n"
        + "-----END RSA PRIVATE KEY-----\n", isShown: false),
    .init(
      "key file of PuTTY", "bundled-key-file", "client.ppk",
      "PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 1 \(secret)\n\(other)\n",
      hidden: [secret, other]),
    .init(
      "key file without zeros", "bundled-key-file",
      ["client.key": Data([0x30, 0x15, 0x02, 0x01, 0x01, 0x04, 0x10]) + Data(secret.utf8)]),
    .init(
      "private key in code", "hardcoded-key", "Keys.swift",
      """
      let pem = \"\"\"
        -----BEGIN PRIVATE KEY-----
        \(secret)\(other)
        \(other)\(secret)
        -----END PRIVATE KEY-----
        \"\"\"
      """, hidden: [secret, other]),
  ]
}
