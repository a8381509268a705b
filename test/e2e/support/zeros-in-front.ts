/** An id as 1.0.0 has stored it, wherever it stands in a state. */
export function zerosInFront<Data>(state: Data): Data {
  return JSON.parse(JSON.stringify(state).replaceAll('"virtualMachineId":"42"', '"virtualMachineId":"042"')) as Data;
}
