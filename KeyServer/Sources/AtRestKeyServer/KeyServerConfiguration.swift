/// The settings of a running server.
package struct KeyServerConfiguration: Sendable {
  /// The address to listen on.
  package var host: String
  /// The port to listen on, or 0 for any free port.
  package var port: Int
  /// The file with the certificate chain in PEM form.
  package var certificate: String
  /// The file with the private key of the certificate in PEM form.
  package var privateKey: String
  /// A file with the certificates of authorities in PEM form, or nil. If it is set, a client needs a
  /// certificate from one of them.
  package var clientAuthority: String?
  /// The file of the ``DatabaseRecord``, or nil.
  package var record: String?
  /// The seconds between two comparisons with the record, and between two entries of used-up attempts
  /// in the audit log.
  package var housekeepingInterval = 60.0
  /// The number of threads, each with a connection to the database.
  package var workers = 8
  /// The most connections at a time. Further ones wait.
  package var maximumConnections = 1000
  /// The most connections of one source address at a time. Further ones are closed.
  package var maximumConnectionsPerSource = 100
  /// The seconds within which a client must complete a handshake and a request's head, and within
  /// which a request must be received and answered.
  package var requestTimeout = 20.0
  /// The requests per second that one source address may send on average, and at most at once.
  package var sourceRate = SourceLimits.Rate(perSecond: 50, burst: 200)
  /// The accounts that one source address may name in an hour without the signature of a device.
  package var namesPerSource = 100

  package init(host: String, port: Int, certificate: String, privateKey: String) {
    self.host = host
    self.port = port
    self.certificate = certificate
    self.privateKey = privateKey
  }
}
