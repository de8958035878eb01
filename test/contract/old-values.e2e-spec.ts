import { expectFieldErrors } from '../support/expect-error';
import { createOrganization } from '../support/records';
import { useService } from '../support/service';

const service = useService();

it('a value that was valid when it was stored does not keep a PUT from changing other fields (contract §1.5)', async () => {
  const { _id } = await createOrganization(service.admin);
  const old = { contactEmail: '<a@b.example>', url: 'https://a.example/<b>', contactPhone: '-----' };
  await service.model('Organization').updateOne({ _id }, { $set: old });
  const path = `/organizations/${_id}`;
  const { body } = await service.admin.get(path);
  const put = await service.admin.put(path, { ...body, description: 'new' });
  expect({ status: put.status, data: put.body.data }).toMatchObject({
    status: 200,
    data: { ...old, description: 'new' },
  });
  const changed = { ...body, contactEmail: '<a@b.example>;', contactPhone: '1' };
  expectFieldErrors(
    await service.admin.put(path, changed),
    ['badFormat', 'contactEmail'],
    ['tooShort', 'contactPhone'],
  );
  expectFieldErrors(await service.admin.put(path, { ...body, x: 1 }), ['unknownField', 'x']);
  const { name: _, ...copy } = body;
  const posted = await service.admin.post('/organizations', { ...copy, name: 'Copy', managerIds: undefined });
  expectFieldErrors(posted, ['badFormat', 'url'], ['badFormat', 'contactEmail'], ['badFormat', 'contactPhone']);
});
