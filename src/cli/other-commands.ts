/**
 * The commands but `start` and those of `light-commands.ts`. They are loaded together: with an entry for each, the build
 * would put what they share with `start` into dozens of small files, each of which costs time at a start.
 */
export * as calibrate from './commands/calibrate/calibrate.ts';
export * as completion from './commands/completion/completion.ts';
export * as doctor from './commands/doctor/doctor.ts';
export * as exam from './commands/exam/exam.ts';
export * as exec from './commands/exec/exec.ts';
export * as guide from './commands/guide/guide.ts';
export * as init from './commands/init/init.ts';
export * as explainRequest from './commands/inspect/explain-request.ts';
export * as tail from './commands/inspect/tail.ts';
export * as mcp from './commands/sandbox/mcp.ts';
export * as demo from './commands/testing/demo.ts';
export * as listen from './commands/testing/listen.ts';
export * as openapi from './commands/testing/openapi.ts';
export * as run from './commands/testing/run.ts';
export * as fixtures from './commands/world/fixtures.ts';
export * as forward from './commands/world/forward.ts';
export * as historyExport from './commands/world/history-export.ts';
export * as simulateKyc from './commands/world/simulate-kyc.ts';
export * as simulateVerify from './commands/world/simulate-verify.ts';
export * as worldsAdd from './commands/world/worlds-add.ts';
export * as operationCommands from './from-operations/operation-commands.ts';
