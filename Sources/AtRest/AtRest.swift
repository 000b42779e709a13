// Importing the Vault also imports the stores, redaction and envelopes.
@_exported import AtRestCrypto
@_exported import AtRestEnvelopes
@_exported import AtRestFiles
@_exported import AtRestKeybag
@_exported import AtRestKeychain
@_exported import AtRestRedaction
@_exported import AtRestRuntime
